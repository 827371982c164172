import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Card, fetchCard, getInterfaceUrl } from './card.ts'
import { type Ask, chooseCard } from './choose-brand.ts'
import { startConversation } from './conversation.ts'
import { fetchDelegationOffer } from './delegation-offer.ts'
import { chat, sayAll } from './dialogue.ts'
import { publishKeys } from './jwks-server.ts'
import { loadIdentity } from './key-store.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { Options } from './options.ts'
import { openPermission } from './permission.ts'
import { playUser } from './played-user.ts'
import { createReceiptVerifier } from './receipt.ts'
import { signToken } from './signer.ts'
import type { Terminal } from './terminal.ts'

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
    const asker = { issuer, audience }
    const client = { asker, sign: () => signToken(identity, asker) }
    const delegation = await openDelegation(card, options, client, terminal)
    const conversation = startConversation({
      interfaceUrl,
      ...client,
      delegationToken: async () => delegation?.permission.token(),
      refuseDelegationToken: async () => delegation?.permission.replaceToken(),
      notify: terminal.notice,
    })
    const dialogue = { name: card.name, conversation, terminal, delegation }
    if (options.say.length > 0) return await sayAll(dialogue, options.say)
    return await chat(dialogue, ask)
  } finally {
    await stop()
  }
}

async function openDelegation(card: Card, options: Options, client: OAuthClient, terminal: Terminal) {
  const offer = await fetchDelegationOffer(card)
  if (!offer) return undefined
  const { approve } = options
  const permission = openPermission({
    client,
    offer,
    terminal,
    pause: (seconds) => setTimeout(seconds * 1000),
    playUser: approve === undefined ? undefined : (link) => playUser(link, approve),
  })
  const expected = { pa: options.issuer, brand: getInterfaceUrl(card) }
  return { permission, verifyReceipt: createReceiptVerifier(offer.jwksUri, expected) }
}
