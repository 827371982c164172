/** The most turns that a check may have. By itself, so that a page can count them without the schemas. */
export const MAX_CHECKED_TURNS = 10
