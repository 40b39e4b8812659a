/** A step for the marks of an axis that people like to read: 1, 2 or 5 times a power of ten, at least 1. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? 10 * power
}
