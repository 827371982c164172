import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not the public internet (RFC 6890 and the IANA special-purpose registry). */
const refusedV4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** IPv6 networks inside the ones that `globalV6` lists which are not the public internet. */
const refusedV6: readonly [network: string, prefix: number][] = [
  // Protocol assignments, Teredo and ORCHID among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

/** Where public IPv6 addresses are: global unicast, IPv4-mapped, and NAT64's well-known prefix. All else is refused. */
const globalV6: readonly [network: string, prefix: number][] = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]

const loopback: readonly [network: string, prefix: number][] = [
  ['::1', 128],
  ['::ffff:127.0.0.0', 104],
]

/** A 6to4 address carries an IPv4 address in its second and third group (RFC 3056). */
function sixToFour(network: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  return `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::`
}

function listOf(
  v4: readonly [network: string, prefix: number][],
  v6: readonly [network: string, prefix: number][],
): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of v4) list.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of v6) list.addSubnet(network, prefix, 'ipv6')
  return list
}

/** Every way in which an IPv6 address can carry a refused IPv4 address. */
const embedded = refusedV4.flatMap(([network, prefix]): [string, number][] => [
  [`::ffff:${network}`, 96 + prefix],
  [`64:ff9b::${network}`, 96 + prefix],
  [sixToFour(network), 16 + prefix],
])

const refused = listOf(refusedV4, [...refusedV6, ...embedded])
const global = listOf([['0.0.0.0', 0]], globalV6)
const local = listOf([['127.0.0.0', 8]], loopback)

/** Private networks (RFC 1918, RFC 4193): never a link's own addresses, where clouds answer with their machines' secrets. */
const privateNetworks = listOf(
  [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ],
  [['fc00::', 7]],
)
/** Amazon's metadata service has an address among the private ones. */
const metadata = listOf([], [['fd00:ec2::', 32]])

/** What a request may reach beside the public internet. */
export type Reach = {
  /** This machine itself. */
  allowLoopback: boolean
  /** Private networks; left out: no. */
  allowPrivate?: boolean
}

/**
 * Says whether this process may connect to an address that somebody else chose.
 *
 * @param address an IPv4 or IPv6 address without brackets, as a resolver or a parsed URL gives it; a zone is ignored
 * @returns false for every address that is neither on the public internet nor allowed, and for what is no address
 */
export function mayReach(address: string, reach: Reach): boolean {
  const bare = address.split('%', 1)[0] ?? ''
  const version = isIP(bare)
  if (version === 0) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (local.check(bare, family)) return reach.allowLoopback
  if (privateNetworks.check(bare, family)) return reach.allowPrivate === true && !metadata.check(bare, family)
  return global.check(bare, family) && !refused.check(bare, family)
}
