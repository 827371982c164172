'use server'

import { withModel, withRules } from './answer-fields.ts'
import { draftAction } from './draft-action.ts'

/** Saves a draft that answers by rules. */
export const saveRules = draftAction(withRules)

/** Saves a draft that a model answers for. */
export const saveModel = draftAction(withModel)
