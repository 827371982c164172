'use server'

import { withBot, withModel, withRules } from './answer-fields.ts'
import { draftAction } from './draft-action.ts'

/** Saves a draft that answers by rules. */
export const saveRules = draftAction(withRules)

/** Saves a draft that a model answers for. */
export const saveModel = draftAction(withModel)

/** Saves a draft that the Brand's bot answers for. */
export const saveBot = draftAction(withBot)
