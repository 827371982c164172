/** The reply of a turn that ended after something may have been changed, where nothing says what. */
export const BROKEN_OFF_TEXT = 'Something went wrong after I had begun. Please check before you ask again.'

/** The reply where a Brand's own words give none. */
export const NO_ANSWER_TEXT = 'I have no answer to that. Could you say it in other words?'

/** What is said where scopes are missing (§5.5), and a Brand does not say it in its own words. */
export const MISSING_SCOPES_TEXT = 'I need your permission for that.'
