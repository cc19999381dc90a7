import {BlockList, isIP} from 'node:net'

export type Reach = 'loopback' | 'private' | 'forbidden' | 'public'

/** Well-known prefixes of IPv4 translation (RFC 6052 §2.1, RFC 2765 §2.1): what is behind them counts as the IPv4 address. */
const translators = ['64:ff9b::', '::ffff:0:']

/** The first row that has an address says how far it reaches; what is in none is forbidden. */
const networks: readonly (readonly [reach: Reach, networks: readonly string[]])[] = [
  // The loopback network behind a translator is not this machine's.
  ['forbidden', ['64:ff9b::127.0.0.0/104', '::ffff:0:127.0.0.0/104']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['forbidden', ['0.0.0.0/8', '224.0.0.0/3', '169.254.0.0/16']],
  // Metadata services outside the link-local range: Azure, Alibaba Cloud, and the IPv6 ones of AWS and Google Cloud.
  ['forbidden', ['168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128']],
  // Protocol assignments, among them a metadata service, and the anycast address of 6to4 relays.
  ['forbidden', ['192.0.0.0/24', '192.88.99.0/24']],
  // Teredo and 6to4: deprecated tunnels, which can embed an address of any network.
  ['forbidden', ['2001::/32', '2002::/16']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7']],
  ['public', ['0.0.0.0/0', '2000::/3']],
]

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    if (isIP(address) === 6) list.addSubnet(address, Number(bits), 'ipv6')
    else {
      list.addSubnet(address, Number(bits))
      for (const prefix of translators) list.addSubnet(prefix + address, 96 + Number(bits), 'ipv6')
    }
  }
  return list
}

let lists: readonly (readonly [Reach, BlockList])[] | undefined

/**
 * Classifies an IP address, whatever its zone; undefined for other texts. `forbidden` are addresses that no service should
 * be called at: link-local, multicast, unspecified, deprecated tunnels, and the metadata services of clouds at any address.
 * An IPv4 address embedded in an IPv6 one counts as itself.
 */
export function reachOf(address: string): Reach | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  const [text = ''] = address.split('%', 1)
  lists ??= networks.map(([reach, subnets]) => [reach, listOf(subnets)])
  return lists.find(([, list]) => list.check(text, `ipv${version as 4 | 6}`))?.[0] ?? 'forbidden'
}

/** Whether the host of a URL is this machine. `localhost` is: its address is checked when connecting. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || reachOf(host) === 'loopback'
}
