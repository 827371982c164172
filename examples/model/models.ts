import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Answerer } from './chat.ts'
import { obeyDirectives } from './directives.ts'
import { answerByRules } from './rules.ts'

/**
 * The models of a folder: `rules/NAME.yaml` is the model NAME. What a message says in `[[…]]` goes before the rules.
 *
 * @throws when a file is not as {@link answerByRules} wants it
 */
export async function loadModels(folder = join(import.meta.dirname, 'rules')): Promise<Answerer> {
  const models = new Map<string, Answerer>()
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.yaml')) continue
    const rules = parse(await readFile(join(folder, file), 'utf8'))
    models.set(file.slice(0, -'.yaml'.length), answerByRules(rules))
  }
  return obeyDirectives((request) => {
    const model = models.get(request.model)
    if (model) return model(request)
    return { status: 404, raw: JSON.stringify({ error: { message: `no model ${request.model}` } }) }
  })
}
