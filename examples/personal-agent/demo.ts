import { join } from 'node:path'
import { fetchCard, getInterfaceUrl } from './card.ts'
import { type Ask, chooseCard } from './choose-brand.ts'
import { type Conversation, startConversation } from './conversation.ts'
import { publishKeys } from './jwks-server.ts'
import { loadIdentity } from './key-store.ts'
import type { Options } from './options.ts'
import { signToken } from './signer.ts'
import { type Terminal, youSay } from './terminal.ts'

/**
 * Finds a Brand and talks with it: what `--say` says, or what the person types until they leave.
 *
 * @param ask reads a line from the person
 * @returns whether everything worked
 * @throws Problem when the conversation can't begin
 */
export async function runDemo(options: Options, terminal: Terminal, ask: Ask): Promise<boolean> {
  const { issuer, audience } = options
  const identity = await loadIdentity(join(options.dataDir, 'demo-personal-agent.json'))
  const stop = await publishKeys(issuer, identity)
  try {
    const cardUrl = await chooseCard(options, terminal, options.say.length > 0 ? undefined : ask)
    if (cardUrl === undefined) return true
    const card = await fetchCard(cardUrl)
    const interfaceUrl = getInterfaceUrl(card)
    terminal.title(`${card.name}: ${card.description}`)
    terminal.detail('card', cardUrl)
    terminal.detail('interface', interfaceUrl)
    terminal.detail('speaking', `as ${issuer}, to ${audience}`)
    const conversation = startConversation({
      interfaceUrl,
      asker: { issuer, audience },
      sign: () => signToken(identity, { issuer, audience }),
      notify: terminal.notice,
    })
    if (options.say.length > 0) return await sayAll(conversation, options.say, card.name, terminal)
    return await chat(conversation, card.name, terminal, ask)
  } finally {
    await stop()
  }
}

/** Stops at the first failure: what follows would mean something else. */
async function sayAll(
  conversation: Conversation,
  texts: string[],
  name: string,
  terminal: Terminal,
): Promise<boolean> {
  for (const text of texts) {
    terminal.said(text)
    if (!(await sayOne(conversation, text, name, terminal))) return false
  }
  return true
}

async function chat(
  conversation: Conversation,
  name: string,
  terminal: Terminal,
  ask: Ask,
): Promise<boolean> {
  terminal.hint('Type a message. /new starts a new conversation, /quit ends.')
  let worked = true
  for (;;) {
    const text = (await ask(youSay()))?.trim()
    if (text === undefined || text === '/quit') return worked
    if (text === '/new') {
      conversation.restart()
      terminal.hint('The next message starts a new conversation.')
    } else if (text !== '') {
      worked = (await sayOne(conversation, text, name, terminal)) && worked
    }
  }
}

async function sayOne(
  conversation: Conversation,
  text: string,
  name: string,
  terminal: Terminal,
): Promise<boolean> {
  try {
    terminal.reply(name, await conversation.send(text))
    return true
  } catch (problem) {
    terminal.problem(problem)
    return false
  }
}
