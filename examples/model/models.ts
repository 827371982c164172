import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Answerer } from './chat.ts'
import { obeyDirectives } from './directives.ts'
import { answerByRecordings, readRecordings } from './recordings.ts'
import { answerByRules } from './rules.ts'

/** The file of a model's recordings. */
export function recordingsOf(name: string, folder = import.meta.dirname): string {
  return join(folder, 'recordings', `${name}.jsonl`)
}

/**
 * The models of a folder: `rules/NAME.yaml` is the model NAME, and `recordings/NAME.jsonl` what it answers word for word.
 * What a message says in `[[…]]` goes before recordings, and they before the rules.
 *
 * @throws when a file is not as {@link answerByRules} or {@link readRecordings} wants it
 */
export async function loadModels(folder = import.meta.dirname): Promise<Answerer> {
  const models = new Map<string, Answerer>()
  for (const file of await readdir(join(folder, 'rules'))) {
    if (!file.endsWith('.yaml')) continue
    const name = file.slice(0, -'.yaml'.length)
    const rules = parse(await readFile(join(folder, 'rules', file), 'utf8'))
    const recordings = await readRecordings(recordingsOf(name, folder))
    models.set(name, answerByRecordings(recordings, answerByRules(rules)))
  }
  return obeyDirectives((request) => {
    const model = models.get(request.model)
    if (model) return model(request)
    return { status: 404, raw: JSON.stringify({ error: { message: `no model ${request.model}` } }) }
  })
}
