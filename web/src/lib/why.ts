/** What went wrong, in words for the person before the screen. */
export const whyOf = (wrong: unknown): string => (wrong instanceof Error ? wrong.message : String(wrong))
