import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { JWK } from 'jose'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { findHeldReceipt, findOwnBrandId } from '#lib/delegation/held-receipt.ts'
import {
  findSignatureFault,
  type HeldReceipt,
  type ReadReceipt,
  readReceipt,
  type VerifiedClaims,
} from '#lib/delegation/verify-receipt.ts'
import { config } from '#lib/platform/config.ts'
import { isMap } from '#lib/platform/json-map.ts'
import { fetchJson } from '#lib/platform/outbound/fetch-document.ts'
import { OperatorError } from './operator-error.ts'
import { formatColumns, printable } from './print.ts'

const JWKS_LIMITS = { maxBytes: 256 * 1024, timeout: 5_000 }

async function readInput(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws OperatorError where there is none */
function findReceipt(content: string): HeldReceipt {
  const found = findHeldReceipt(content)
  if (!found.ok) throw new OperatorError(found.fault)
  return found.held
}

/** A receipt must not choose the keys that it is verified with: only this Provider's own are found without being told. */
function jwksUriOf(claims: VerifiedClaims): string {
  const brandId = findOwnBrandId(claims, config().providerUrl)
  if (brandId !== undefined) return authorizationServer(brandId).jwksUri
  throw new OperatorError(
    `The receipt is of ${printable(claims.brand)}, which is not one of this Provider's Brands: say with --jwks whose keys to use.`,
  )
}

async function fetchKeys(jwksUri: string): Promise<JWK[]> {
  const fetched = await fetchJson(jwksUri, { ...JWKS_LIMITS, allowLoopback: config().allowLoopback })
  if (!fetched.ok)
    throw new OperatorError(`The keys at ${printable(jwksUri)} can't be had: ${fetched.reason}`)
  const { value } = fetched
  if (!isMap(value) || !Array.isArray(value.keys)) {
    throw new OperatorError(`There is no JWKS at ${printable(jwksUri)}`)
  }
  return value.keys.filter(isMap)
}

function formatReceipt({ claims, kid }: ReadReceipt, jwksUri: string): string {
  const actions = claims.actions.map(({ tool, argsHash }) => (argsHash ? `${tool} (${argsHash})` : tool))
  const facts = [
    ['brand', claims.brand],
    ['user', claims.user],
    ['personal agent', claims.pa],
    ['grant', claims.grantId],
    ['scopes used', claims.scopesUsed.join(', ') || 'none'],
    ['actions', actions.join(', ') || 'none'],
    ['time', claims.ts],
    ['key', `${kid ?? 'not named'}, from ${jwksUri}`],
  ]
  return `The receipt is valid.\n${formatColumns(facts, '  ')}`
}

async function verify(file: string, options: { jwks?: string }): Promise<void> {
  const held = findReceipt(await readInput(file))
  const read = readReceipt(held)
  if (!read.ok) throw new OperatorError(`The receipt is not valid: ${printable(read.fault)}.`)
  const jwksUri = options.jwks ?? jwksUriOf(read.receipt.claims)
  const fault = await findSignatureFault(held.jws, read.receipt, await fetchKeys(jwksUri))
  if (fault) throw new OperatorError(`The receipt is not valid: ${printable(fault)}.`)
  console.log(formatReceipt(read.receipt, jwksUri))
}

/** `pact receipt …` */
export function addReceiptCommands(program: Command): void {
  program
    .command('receipt')
    .description('receipts of what was done for Users')
    .command('verify')
    .description('check a receipt: its signature, its kind, and the claims beside it')
    .argument('<file>', 'a compact JWS, or JSON that holds a receipt; - reads standard input')
    .option('--jwks <url>', 'whose keys it must be signed with; left out: those of this Provider’s Brand')
    .action(verify)
}
