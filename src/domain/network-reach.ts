export type Reach = 'loopback' | 'private' | 'forbidden' | 'public'

/** How far an IP address reaches; undefined for anything else. Link-local holds the metadata services of clouds. */
export function reachOf(address: string): Reach | undefined {
  const v4 = bytesOf(address)
  if (v4) return reachOfV4(v4)
  return address.includes(':') ? reachOfV6(address.toLowerCase()) : undefined
}

function bytesOf(address: string): readonly [number, number, number, number] | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number)
  return parts?.every((part) => part <= 255) ? (parts as [number, number, number, number]) : undefined
}

function reachOfV4([a, b]: readonly [number, number, number, number]): Reach {
  if (a === 127) return 'loopback'
  if (a === 0 || a >= 224 || (a === 169 && b === 254)) return 'forbidden'
  const isShared = a === 100 && b >= 64 && b <= 127
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)
  return isPrivate || isShared ? 'private' : 'public'
}

function reachOfV6(address: string): Reach {
  if (address === '::1') return 'loopback'
  const mapped = /^(?:::ffff:|::ffff:0:|64:ff9b::)(.+)$/.exec(address)?.[1]
  if (mapped !== undefined) return reachOfMapped(mapped)
  if (address.startsWith('::') || /^f(?:e[89ab]|f)/.test(address)) return 'forbidden'
  return /^f[cd]/.test(address) ? 'private' : 'public'
}

/** IPv4 inside IPv6, dotted or as two groups of hexadecimal digits. */
function reachOfMapped(text: string): Reach {
  const groups = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text)?.slice(1)
  const [high = 0, low = 0] = (groups ?? []).map((group) => Number.parseInt(group, 16))
  const dotted = groups ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : text
  const bytes = bytesOf(dotted)
  return bytes ? reachOfV4(bytes) : 'forbidden'
}
