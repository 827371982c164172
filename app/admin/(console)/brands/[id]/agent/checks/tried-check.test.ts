import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildAgent } from '#lib/agents/build-agent.ts'
import { runChecks } from '#lib/agents/checks/run-checks.ts'
import { checkSchema, type StandIn, standInSchema } from '#lib/agents/checks/schema.ts'
import { standInApi } from '#lib/agents/checks/stand-in.ts'
import { type RehearsedPast, rehearseTurn } from '#lib/agents/rehearsal.ts'
import { agentSchema } from '#lib/agents/schema.ts'
import { toolSchema } from '#lib/agents/tools/schema.ts'
import { noteTurn } from './note-turn.ts'
import { type NotedTurn, toCheckRow } from './tried-check.ts'

const noted = (say: string, rest: Partial<NotedTurn> = {}): NotedTurn => ({
  say,
  turn: `- say: ${say}`,
  scopes: '',
  answers: [],
  unanswered: [],
  closes: false,
  ...rest,
})
const says = (turns: readonly NotedTurn[]) => toCheckRow(turns)?.row.turns

it('a tried conversation makes a check of its last turns under one permission', () => {
  const scopes = 'orders:read'
  const turns = [noted('a'), noted('b', { scopes }), noted('c', { scopes })]
  expect(toCheckRow(turns)).toEqual({
    row: { name: 'b', scopes, answers: '', turns: '- say: b\n- say: c' },
    unanswered: [],
    isCut: true,
  })
  expect(toCheckRow([])).toBeUndefined()
})

it('a check has as many turns, and as long a name, as it may', () => {
  const check = toCheckRow(Array.from({ length: 12 }, (_, n) => noted(`${n} ${'x'.repeat(100)}`)))
  expect(check?.row.turns.split('\n')).toHaveLength(10)
  expect(check?.row.name).toHaveLength(80)
  expect(check?.isCut).toBe(true)
  expect(toCheckRow([noted(`x${'😀'.repeat(90)}`)])?.row.name).toBe(`x${'😀'.repeat(79)}`)
})

it('a check has the answers of all its turns, and begins after one that had another answer', () => {
  const answers = (...pairs: [string, string][]) => ({
    answers: pairs.map(([tool, body]) => ({ tool, answer: `${tool}: ${body}` })),
  })
  const turns = [
    noted('a', answers(['list', '1'])),
    noted('b', { ...answers(['ping', '1']), unanswered: ['ping'] }),
    noted('c', answers(['list', '2'], ['ping', '1'])),
  ]
  expect(toCheckRow(turns)).toMatchObject({
    row: { turns: '- say: b\n- say: c', answers: 'list: 2\nping: 1' },
    unanswered: ['ping'],
    isCut: true,
  })
})

it('a conversation that came after one that was closed is whole', () => {
  const turns = [noted('a', { closes: true }), noted('b'), noted('c', { closes: true })]
  expect(toCheckRow(turns)).toMatchObject({ row: { turns: '- say: b\n- say: c' }, isCut: false })
  expect(says(turns.slice(0, 1))).toBe('- say: a')
})

const tools = ['list', 'cancel'].map((name) =>
  toolSchema({ allowLoopback: false }).parse({
    name,
    description: 'Does it.',
    scope: `orders:${name}`,
    request: { method: 'POST', url: `https://api.example/${name}` },
  }),
)
const agent = buildAgent(
  agentSchema.parse({
    driver: 'scripted',
    rules: [
      { when: { words: ['list'] }, call: [{ tool: 'list' }], set: { state: 'listed' }, reply: 'Here.' },
      {
        when: { words: ['cancel'] },
        call: [{ tool: 'list' }, { tool: 'cancel' }],
        failed: 'It failed.',
        reply: 'Done.',
      },
      { when: { words: ['bye'] }, reply: 'Bye.', close: true },
    ],
    fallback: 'Hello.',
  }),
  tools,
)
const both = ['orders:list', 'orders:cancel']
type Said = [text: string, answers: Record<string, unknown>, scopes?: string[]]

/** As the page for trying an agent, and then the page of checks do it. */
async function checkOf(said: readonly Said[]) {
  const turns: NotedTurn[] = []
  let past: RehearsedPast = { turns: [], state: {} }
  for (const [text, bodies, scopes] of said) {
    const answers: Record<string, StandIn> = Object.fromEntries(
      Object.entries(bodies).map(([tool, body]) => [tool, standInSchema.parse({ body })]),
    )
    const user = scopes && { id: 'user-1', scopes }
    const asUser = user && { id: user.id, scopes: new Set(scopes) }
    const rehearsal = { agent, brandId: 'B', secret: async () => undefined, callApi: standInApi(answers) }
    const turn = await rehearseTurn({ ...rehearsal, user: asUser }, past, text)
    turns.push(noteTurn({ text, user, answers }, turn))
    past = turn.close ? { turns: [], state: {} } : { turns: past.turns, state: turn.state }
  }
  const { name, scopes, answers, turns: wanted } = toCheckRow(turns)?.row ?? expect.fail('no check')
  return checkSchema.parse({
    name,
    scopes: scopes === '' ? undefined : scopes === '-' ? [] : scopes.split(', '),
    answers: parse(answers) ?? {},
    turns: parse(wanted),
  })
}

it.each<[string, Said[], number]>([
  ['calls with answers', [['cancel', { list: 1, cancel: 2 }, both]], 1],
  ['calls without answers', [['cancel', {}, both]], 1],
  ['a second call without an answer', [['cancel', { list: 1 }, both]], 1],
  [
    'answers that were given turn by turn',
    [
      ['list', { list: 1 }, both],
      ['cancel', { list: 1, cancel: 2 }, both],
    ],
    2,
  ],
  [
    'answers that changed',
    [
      ['list', { list: 1 }, both],
      ['cancel', { list: 2, cancel: 2 }, both],
    ],
    1,
  ],
  [
    'a permission that changed',
    [
      ['cancel', {}, ['orders:list']],
      ['cancel', { list: 1, cancel: 2 }, both],
    ],
    1,
  ],
  ['step-up', [['cancel', { list: 1 }, ['orders:list']]], 1],
  ['no token', [['hello', {}]], 1],
  ['a token without scopes', [['hello', {}, []]], 1],
  [
    'turns after one that closed',
    [
      ['bye', {}],
      ['hello', {}],
      ['bye', {}],
    ],
    2,
  ],
])('the check that is made of %s passes as it was tried', async (_of, said, turns) => {
  const check = await checkOf(said)
  expect(check.turns).toHaveLength(turns)
  const [result] = await runChecks({ agent, brandId: 'B', secret: async () => undefined }, [check])
  expect(result?.turns.flatMap(({ faults }) => faults)).toEqual([])
  expect(result?.passed).toBe(true)
})
