import { describe, expect, it } from 'vitest'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { AgentState, TurnRequest } from './agent.ts'
import { isStepUp, isTokenEnded } from './agent.ts'
import { buildAgent } from './build-agent.ts'
import { NO_ANSWER_TEXT } from './fixed-texts.ts'
import { AgentTimeoutError, answerAtOnce, runTurn } from './run-turn.ts'
import type { AgentSettings } from './schema.ts'
import { scriptedAgentSchema } from './scripted-schema.ts'

type Script = { rules?: unknown[]; fallback?: string; timeLimitSeconds?: number }

function script(settings: Script): AgentSettings {
  return scriptedAgentSchema.parse({ driver: 'scripted', fallback: 'Fallback.', ...settings })
}

/** A turn under §3. */
function turnOf(text: string, state: AgentState): TurnRequest {
  return turnRequest({ text, state })
}

/** Says `texts` one after the other, each turn with what the last one remembered. */
async function talk(settings: Script, ...texts: string[]) {
  const agent = buildAgent(script(settings), [])
  let state: AgentState = {}
  const replies: string[] = []
  let close = false
  for (const text of texts) {
    const outcome = await runTurn(agent, turnOf(text, state))
    if (isStepUp(outcome) || isTokenEnded(outcome)) throw new Error('the turn had no reply')
    state = outcome.state
    close = outcome.close
    replies.push(outcome.reply)
  }
  return { replies, state, close }
}

describe('the scripted driver', { timeout: 30_000 }, () => {
  it('answers with the first rule that applies, and with the fallback where none does', async () => {
    const rules = [
      { when: { words: ['order'] }, reply: 'One.' },
      { when: { words: ['order', 'delivery'] }, reply: 'Two.' },
    ]
    const { replies } = await talk({ rules }, 'My order', 'delivery', 'hello')
    expect(replies).toEqual(['One.', 'Two.', 'Fallback.'])
  })

  it('asks for a number in one turn and uses it in the next', async () => {
    const rules = [
      {
        when: { state: 'asked_number', match: '(?<number>A-\\d+)' },
        set: { state: null, number: '{{ match.number | upcase }}' },
        reply: 'Order {{ match.number }} leaves tomorrow.',
      },
      { when: { words: ['again'] }, reply: 'It was {{ number }}.' },
      { when: { words: ['order'] }, set: { state: 'asked_number' }, reply: 'What is the order number?' },
    ]
    const { replies, state } = await talk({ rules }, 'A-1', 'my order', 'it is a-77', 'A-1', 'again')
    expect(replies).toEqual([
      'Fallback.',
      'What is the order number?',
      'Order a-77 leaves tomorrow.',
      'Fallback.',
      'It was A-77.',
    ])
    expect(state).toEqual({ number: 'A-77' })
  })

  it('wants every condition of a rule to hold', async () => {
    const rules = [
      { when: { words: ['cancel'], match: '\\d+', state: 'ready' }, reply: 'Cancelled.' },
      { when: { words: ['ready'] }, set: { state: 'ready' }, reply: 'Ready.' },
    ]
    const { replies } = await talk({ rules }, 'cancel 1', 'ready', 'cancel', '1', 'cancel 1')
    expect(replies).toEqual(['Fallback.', 'Ready.', 'Fallback.', 'Fallback.', 'Cancelled.'])
  })

  it('shows templates what was remembered before the turn; what a rule sets is for later turns', async () => {
    const rules = [
      { when: {}, set: { count: '{{ count | plus: 1 }}', done: true, n: 3 }, reply: 'Seen {{ count }}.' },
    ]
    const { replies, state } = await talk({ rules }, 'a', 'b', 'c')
    expect(replies).toEqual(['Seen .', 'Seen 1.', 'Seen 2.'])
    expect(state).toEqual({ count: '3', done: true, n: 3 })
  })

  it('ends the conversation where a rule says so (§4.2)', async () => {
    const rules = [{ when: { words: ['bye'] }, reply: 'Goodbye.', close: true }]
    expect((await talk({ rules }, 'bye')).close).toBe(true)
    expect((await talk({ rules }, 'hello')).close).toBe(false)
  })

  it('falls back where a reply renders blank, and to fixed words where the fallback is blank too', async () => {
    const rules = [{ when: { words: ['order'] }, reply: '{{ nothing }} ' }]
    expect((await talk({ rules }, 'order')).replies).toEqual(['Fallback.'])
    expect((await talk({ rules, fallback: '{{ nothing }}' }, 'order')).replies).toEqual([NO_ANSWER_TEXT])
    expect((await talk({ fallback: '{{ nothing }}' }, 'order')).replies).toEqual([NO_ANSWER_TEXT])
  })

  it('never parses what the User says as a template', async () => {
    const rules = [{ when: { match: '(?<all>.*)' }, set: { said: '{{ text }}' }, reply: '{{ match.all }}' }]
    const text = '{{ 7 | times: 6 }}{% for i in (1..9) %}<b>&'
    expect(await talk({ rules }, text)).toMatchObject({ replies: [text], state: { said: text } })
    const echo = [{ when: { words: ['again'] }, reply: '{{ said }}' }, ...rules]
    expect((await talk({ rules: echo }, text, 'again')).replies[1]).toBe(text)
  })

  it('repeats whatever the User says as something that can be stored and sent', async () => {
    const rules = [
      {
        when: { match: '^cut (?<rest>.*)' },
        set: { x: '{{ text }}' },
        reply: '{{ match.rest | split: "" | last }}',
      },
      { when: {}, set: { x: '{{ text }}' }, reply: 'You said: {{ text }}{{ text }}' },
    ]
    const long = await talk({ rules }, '😀'.repeat(8_192))
    expect(Buffer.byteLength(long.replies[0] ?? '')).toBeLessThanOrEqual(32_768)
    expect(long.replies[0]?.startsWith('You said: 😀')).toBe(true)
    expect(String(long.state.x)).toBe('😀'.repeat(500))
    expect((await talk({ rules }, 'cut 😀')).replies[0]).toBe('\uFFFD')
  })

  it('answers after the pause that a rule asks for, within the time limit', async () => {
    const rules = [{ when: {}, delaySeconds: 0.05, reply: 'Done.' }]
    const before = performance.now()
    expect((await talk({ rules }, 'a')).replies).toEqual(['Done.'])
    expect(performance.now() - before).toBeGreaterThanOrEqual(45)
    const slow = [{ when: {}, delaySeconds: 60, reply: 'Done.' }]
    await expect(talk({ rules: slow, timeLimitSeconds: 0.1 }, 'a')).rejects.toThrow(AgentTimeoutError)
  })

  it('answers at once as it would when run, unless a rule calls or pauses', async () => {
    const agent = buildAgent(
      script({
        rules: [
          { when: { match: 'order (?<number>\\d+)' }, set: { number: '{{ match.number }}' }, reply: 'Set.' },
          { when: { words: ['bye'] }, close: true, set: { number: null }, reply: 'Bye, {{ number }}.' },
          { when: { words: ['blank'] }, reply: '{{ nothing }}' },
          { when: { words: ['endless'] }, reply: '{% for i in (1..1000000000) %}x{% endfor %}' },
          { when: { words: ['slow'] }, delaySeconds: 0.01, reply: 'At last.' },
        ],
      }),
      [],
    )
    for (const text of ['order 7', 'bye', 'blank', 'endless', 'anything else']) {
      const said = { text, state: { number: '5' } }
      const answer = answerAtOnce(agent, said)
      expect(answer, text).toBeDefined()
      expect(answer, text).toEqual(await runTurn(agent, turnOf(text, said.state)))
    }
    expect(answerAtOnce(agent, { text: 'slow', state: {} })).toBeUndefined()
  })

  it('lets no template run away', async () => {
    const endless = [
      '{% for i in (1..1000000000) %}x{% endfor %}',
      '{% assign a = text | split: "" %}{% for i in a %}{% for j in a %}{% endfor %}{% endfor %}',
      '{% assign a = text | split: "" %}{% for i in a %}{% for j in a %}{{ text }}{% endfor %}{% endfor %}',
      '{% assign a = text %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
      '{% assign a = text %}{% for i in (1..40) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}',
    ]
    for (const reply of endless) {
      const before = performance.now()
      const { replies } = await talk({ rules: [{ when: {}, reply }] }, 'x'.repeat(32_768))
      expect(replies, reply).toEqual(['Fallback.'])
      expect(performance.now() - before, reply).toBeLessThan(2_000)
    }
  })

  it('leaves a variable as it was where what is to be remembered reaches the limits', async () => {
    const endless = '{% for i in (1..1000000000) %}x{% endfor %}'
    const rules = [
      { when: { words: ['set'] }, set: { a: 'one', b: 'two' }, reply: 'Set.' },
      { when: {}, set: { a: endless, b: 'three' }, reply: 'Done.' },
    ]
    const { replies, state } = await talk({ rules }, 'set', 'go')
    expect(replies).toEqual(['Set.', 'Done.'])
    expect(state).toEqual({ a: 'one', b: 'three' })
  })

  it('falls back to fixed words where the fallback reaches the limits', async () => {
    const fallback =
      '{% assign a = text | split: "" %}{% for i in a %}{% for j in a %}{% endfor %}{% endfor %}'
    const { replies } = await talk({ fallback }, 'x'.repeat(32_768), 'xyz?')
    expect(replies).toEqual([NO_ANSWER_TEXT, NO_ANSWER_TEXT])
  })

  it('falls back where the rules take too long, and tells the log', async () => {
    const heavy = { when: { match: '[ab]{1,500}c' }, reply: 'Matched.' }
    const rules = [...Array.from({ length: 900 }, () => heavy), { when: {}, reply: 'Last.' }]
    const agent = buildAgent(script({ rules }), [])
    const outcome = await runTurn(agent, turnOf('ab'.repeat(16_384), {}))
    expect(outcome).toMatchObject({ reply: 'Fallback.', fault: { message: 'The rules took too long' } })
  })

  it('lets no pattern run away on hostile text', async () => {
    const patterns = ['(a+)+$', '(?<x>(\\w+\\s*)*)!', '(.*a){20}$', '(a|b)*a(a|b){20}c', '[ab]{1,500}c']
    const rules = patterns.map((match) => ({ when: { match: `${match}z` }, reply: 'Matched.' }))
    const before = performance.now()
    await talk({ rules }, 'ab'.repeat(16_384), 'a'.repeat(32_768))
    expect(performance.now() - before).toBeLessThan(2_000)
  })

  it('spends microseconds on a turn of twenty rules', async () => {
    const rules = Array.from({ length: 10 }, (_, n) => [
      { when: { words: ['nothing', `word${n}`, 'two words'] }, reply: 'No.' },
      { when: { match: `cancel\\b.*\\b(?<number>${n}-\\d+)` }, reply: 'No {{ match.number }}.' },
    ]).flat()
    const agent = buildAgent(script({ rules, fallback: 'Sorry, {{ name }}.' }), [])
    const turn = turnOf('Where is my parcel? It should be here by Monday.', { name: 'Ada' })
    for (let n = 0; n < 2_000; n++) await runTurn(agent, turn)
    const before = performance.now()
    for (let n = 0; n < 5_000; n++) await runTurn(agent, turn)
    const each = (performance.now() - before) / 5_000
    expect(each).toBeLessThan(1)
  })
})
