/** As it is looked for: small letters without accents, and the apostrophe of a keyboard. */
export const bare = (text: string): string => text.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '').replaceAll('’', "'")
