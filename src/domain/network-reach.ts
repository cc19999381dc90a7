export type Reach = 'loopback' | 'private' | 'forbidden' | 'public'

/**
 * Classifies an IP address; undefined for other texts. `forbidden` are addresses that no service should be called at:
 * link-local, multicast, unspecified, deprecated tunnels, and the metadata services of clouds at any address. An IPv4
 * address embedded in an IPv6 one counts as itself.
 */
export function reachOf(address: string): Reach | undefined {
  const v4 = bytesOf(address)
  if (v4) return reachOfV4(v4)
  const groups = groupsOf(address.toLowerCase())
  return groups && reachOfV6(groups)
}

/** Whether the host of a URL is this machine. `localhost` is: its address is checked when connecting. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || reachOf(host) === 'loopback'
}

type Bytes = readonly [number, number, number, number]

function bytesOf(address: string): Bytes | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number)
  return parts?.every((part) => part <= 255) ? (parts as unknown as Bytes) : undefined
}

/** Metadata services outside the link-local range: Azure, Alibaba Cloud, and the IPv6 ones of AWS and Google Cloud. */
const metadataV4: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200'])
const metadataV6: ReadonlySet<string> = new Set(['fd00:ec2:0:0:0:0:0:254', 'fd20:ce:0:0:0:0:0:254'])

function reachOfV4(bytes: Bytes): Reach {
  const [a, b, c] = bytes
  if (a === 127) return 'loopback'
  if (a === 0 || a >= 224 || (a === 169 && b === 254) || metadataV4.has(bytes.join('.'))) return 'forbidden'
  // Protocol assignments, among them a metadata service, and the anycast address of 6to4 relays.
  if (a === 192 && ((b === 0 && c === 0) || (b === 88 && c === 99))) return 'forbidden'
  const isShared = (a === 100 && b >= 64 && b <= 127) || (a === 198 && (b === 18 || b === 19))
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)
  return isPrivate || isShared ? 'private' : 'public'
}

/** The eight groups of an IPv6 address (RFC 4291 §2.2), without its zone. */
function groupsOf(address: string): readonly number[] | undefined {
  const [text = ''] = address.split('%', 1)
  const dotted = /^(.*:)([\d.]+)$/.exec(text)
  const v4 = dotted?.[2]?.includes('.') ? bytesOf(dotted[2]) : undefined
  const [a = 0, b = 0, c = 0, d = 0] = v4 ?? []
  const plain = v4 ? `${dotted?.[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}` : text
  const [head = '', tail, ...more] = plain.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const given = [...(before ?? []), ...(after ?? [])]
  const isWhole = tail === undefined ? given.length === 8 : given.length < 8 && more.length === 0
  if (!isWhole || !given.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return undefined
  const zeros = Array.from({length: 8 - given.length}, () => '0')
  return [...(before ?? []), ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16))
}

/** Prefixes of deprecated or local tunnels and translations, which can embed an address of any network. */
const tunnels: readonly (readonly number[])[] = [
  [0x2001, 0], // Teredo
  [0x2002], // 6to4
]

const mapped = [0, 0, 0, 0, 0, 0xffff]
/** Well-known prefixes of IPv4 translation (RFC 6052 §2.1, RFC 2765 §2.1). */
const translated: readonly (readonly number[])[] = [
  [0x64, 0xff9b, 0, 0, 0, 0],
  [0, 0, 0, 0, 0xffff, 0],
]

function reachOfV6(groups: readonly number[]): Reach {
  const startsWith = (prefix: readonly number[]) => prefix.every((group, at) => groups[at] === group)
  const [first = 0, , , , , , high = 0, low = 0] = groups
  const inner = () => reachOfV4([high >> 8, high & 255, low >> 8, low & 255])
  if (startsWith([0, 0, 0, 0, 0, 0, 0, 1])) return 'loopback'
  if (startsWith(mapped)) return inner()
  // The loopback network behind a translator is not this machine's.
  if (translated.some(startsWith)) return inner() === 'loopback' ? 'forbidden' : inner()
  if (metadataV6.has(groups.map((group) => group.toString(16)).join(':'))) return 'forbidden'
  if ((first & 0xfe00) === 0xfc00) return 'private'
  const isGlobalUnicast = (first & 0xe000) === 0x2000
  return isGlobalUnicast && !tunnels.some(startsWith) ? 'public' : 'forbidden'
}
