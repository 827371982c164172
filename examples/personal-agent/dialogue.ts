import type { Ask } from './choose-brand.ts'
import type { Conversation, Turn } from './conversation.ts'
import type { Permission } from './permission.ts'
import type { ReceiptClaims, VerifyReceipt } from './receipt.ts'
import { type Terminal, youSay } from './terminal.ts'

/** How often one message may ask for more permission: a User who leaves a box unchecked is not asked for ever. */
const MAX_STEP_UPS = 2

/** Everything that a talk with one Brand needs. */
export type Dialogue = {
  /** The Brand's. */
  name: string
  conversation: Conversation
  terminal: Terminal
  /** Undefined: the Brand offers no delegated authority. */
  delegation: { permission: Permission; verifyReceipt: VerifyReceipt } | undefined
}

/** Says texts one after the other, commands too. Stops at the first failure: what follows would mean something else. */
export async function sayAll(dialogue: Dialogue, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) {
    dialogue.terminal.said(text)
    if (!(await takeLine(dialogue, text))) return false
  }
  if (dialogue.delegation?.permission.held())
    dialogue.terminal.hint('What you have allowed stays allowed at the Provider. --say /revoke withdraws it.')
  return true
}

/** Talks until the person leaves. @returns whether everything worked */
export async function chat(dialogue: Dialogue, ask: Ask): Promise<boolean> {
  const { terminal, delegation } = dialogue
  terminal.hint('Type a message. /new starts a new conversation, /quit ends.')
  if (delegation)
    terminal.hint('/access shows what you have allowed, /revoke withdraws it. Try: Show my orders')
  let worked = true
  for (;;) {
    const text = (await ask(youSay()))?.trim()
    if (text === undefined || text === '/quit') break
    if (text !== '') worked = (await takeLine(dialogue, text)) && worked
  }
  return (await offerWithdrawal(dialogue, ask)) && worked
}

async function offerWithdrawal({ terminal, delegation }: Dialogue, ask: Ask): Promise<boolean> {
  const held = delegation?.permission.held()
  if (!held) return true
  const answer = await ask(`Withdraw what you have allowed (${held.join(', ')})? [y/N] `)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) return true
  return attempt(terminal, () => delegation?.permission.withdraw())
}

/** A command or a message. */
async function takeLine(dialogue: Dialogue, text: string): Promise<boolean> {
  const { terminal, conversation, delegation } = dialogue
  if (text === '/new') {
    conversation.restart()
    terminal.hint('The next message starts a new conversation.')
    return true
  }
  if (text === '/access' || text === '/revoke') {
    if (!delegation) {
      terminal.hint('This Brand offers no delegated authority.')
      return true
    }
    const { permission } = delegation
    return attempt(terminal, () => (text === '/access' ? permission.show() : permission.withdraw()))
  }
  return attempt(terminal, () => say(dialogue, text))
}

/** Says `text`; where the Brand's agent lacks a permission, asks the User for it and says it again (§5.5). */
async function say(dialogue: Dialogue, text: string): Promise<void> {
  const { conversation, terminal, delegation } = dialogue
  for (let stepUps = 0; ; stepUps += 1) {
    const turn = await conversation.send(text)
    terminal.reply(dialogue.name, turn.text)
    await showReceipt(dialogue, turn)
    if (!turn.stepUp) return
    const { missingScopes, link } = turn.stepUp
    if (!delegation || missingScopes.length === 0) {
      terminal.notice(`The Brand needs your permission: ${missingScopes.join(', ') || 'unnamed'}.`)
      if (link) terminal.notice(`You would give it at ${link}`)
      return
    }
    if (stepUps === MAX_STEP_UPS)
      return terminal.notice('It is still not allowed. Say it again to be asked again.')
    if (!(await delegation.permission.ask(missingScopes))) return
    terminal.hint('Sending it again, with your permission.')
  }
}

async function showReceipt({ terminal, delegation }: Dialogue, { receipt }: Turn): Promise<void> {
  if (!receipt || !delegation) return
  const claims = await delegation.verifyReceipt(receipt)
  terminal.detail('receipt', `verified: ${describeReceipt(claims)}`)
}

function describeReceipt({ user, scopesUsed, actions, grantId, ts }: ReceiptClaims): string {
  const did = actions.map(({ tool, argsHash }) => (argsHash ? `${tool} (${argsHash.slice(0, 8)}…)` : tool))
  const what = did.length === 0 ? 'did nothing' : `did ${did.join(', ')} under ${scopesUsed.join(', ')}`
  return `as ${user}, ${what}; grant ${grantId}; ${ts}`
}

async function attempt(terminal: Terminal, action: () => Promise<void> | undefined | void): Promise<boolean> {
  try {
    await action()
    return true
  } catch (problem) {
    terminal.problem(problem)
    return false
  }
}
