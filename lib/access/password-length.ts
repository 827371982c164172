/** How many characters a password has that somebody chooses. By itself, so that a page can say it without what hashes. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
