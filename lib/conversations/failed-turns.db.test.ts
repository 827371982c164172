import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerByBot, botOfThisFile } from '#e2e/harness/bot-brand.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { allowTurns, stopRunningTurns } from './running-turns.ts'
import { readTranscript } from './transcript.ts'

const sender = delegatedSenderOfThisFile()
const bot = botOfThisFile()

const viewer: Viewer = {
  userId: '01890000-0000-7000-8000-000000000000',
  email: 'v@b.example',
  name: null,
  providerRole: null,
  brandRoles: new Map([[BRAND_ID, 'viewer']]),
}

beforeAll(() => {
  log().level = 'silent'
})

/** What the console has of the one turn of a new conversation. */
async function failureOf(subject: string) {
  const { id } = await prisma().conversation.findFirstOrThrow({ where: { brandId: BRAND_ID, subject } })
  const [entry] = (await readTranscript(viewer, id)).entries
  return entry?.kind === 'turn' ? [entry.failure, entry.reply?.text] : undefined
}

async function failBy(answer: Parameters<typeof bot.answerWith>[0]) {
  bot.answerWith(answer)
  const subject = randomUUID()
  const { status } = await sender.send('hello', { subject })
  return [status, ...((await failureOf(subject)) ?? [])]
}

describe('of a turn that failed the console shows why', () => {
  it('where its bot did', async () => {
    expect(await failBy(() => (response) => response.writeHead(404).end('x'))).toEqual([
      500,
      'bot-status',
      undefined,
    ])
    expect(await failBy(() => ({ reply: 7 }))).toEqual([500, 'bot-unusable', undefined])
    expect(await failBy(() => (response) => response.end('hello'))).toEqual([500, 'bot-unusable', undefined])
    expect(await failBy(() => ({ reply: ' ' }))).toEqual([500, 'unusable', undefined])
    expect(await failBy(() => (response) => response.socket?.destroy())).toEqual([
      500,
      'bot-silent',
      undefined,
    ])
    expect(await failBy(() => new Promise(() => {}))).toEqual([500, 'time-limit', undefined])
    await answerByBot({ url: `${bot.url}/resting` })
    const down = () => failBy(() => (response) => response.writeHead(503).end())
    for (let turn = 0; turn < 5; turn += 1) await down()
    expect(await down()).toEqual([500, 'bot-resting', undefined])
  })

  it('beside its reply, where it has one', async () => {
    const answer = () => ({ reply: ' ', actions: [{ tool: 'refund' }] })
    expect(await failBy(answer)).toEqual([
      200,
      'unusable',
      { text: expect.stringMatching(/^Something went wrong/) },
    ])
    expect(await failBy(() => ({ reply: 'Fine.' }))).toEqual([200, undefined, { text: 'Fine.' }])
  })

  it('where the process that ran it ended', async () => {
    const subject = randomUUID()
    const asked = Promise.withResolvers<void>()
    bot.answerWith(() => {
      asked.resolve()
      return new Promise(() => {})
    })
    const running = sender.send('hello', { subject })
    await asked.promise
    await stopRunningTurns()
    allowTurns()
    expect(await failureOf(subject)).toEqual(['stopped', undefined])
    await running
  })
})
