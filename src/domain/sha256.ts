/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain code, for a command that digests a token or two and ends: loading
 * Node's cryptography, with the streams that it needs, takes 4 to 15 milliseconds. No branch and no index depends on the
 * content, so the time tells its length only.
 */

const blockBytes = 64

interface Tables {
  /** Of the first eight primes, and of the first 64. */
  readonly start: Int32Array
  readonly rounds: Int32Array
  readonly words: Int32Array
}

let tables: Tables | undefined

/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0

function tablesOf(): Tables {
  const primes: number[] = []
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return {
    start: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    words: new Int32Array(64),
  }
}

/** Takes one block into the state. Rotations are written out: as a function V8 would optimize it, at the cost of a millisecond. */
function compress(state: Int32Array, block: Buffer, at: number, {rounds, words}: Tables): void {
  for (let i = 0; i < 16; i += 1) words[i] = block.readInt32BE(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const early = words[i - 15] as number
    const late = words[i - 2] as number
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10)
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (rounds[i] as number) + (words[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word
}

/** The digest of the UTF-8 bytes of a text, or of bytes. */
export function sha256(content: string | Uint8Array): Buffer {
  tables ??= tablesOf()
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  padded.writeBigUInt64BE(BigInt(bytes.length) * 8n, padded.length - 8)
  const state = tables.start.slice()
  for (let at = 0; at < padded.length; at += blockBytes) compress(state, padded, at, tables)
  const digest = Buffer.alloc(32)
  for (const [i, word] of state.entries()) digest.writeInt32BE(word, i * 4)
  return digest
}

/** HMAC-SHA-256 of a text. */
export function hmacSha256(key: string, text: string): Buffer {
  const given = Buffer.from(key)
  const short = given.length > blockBytes ? sha256(given) : given
  const padded = (value: number) => Buffer.alloc(blockBytes, value).map((byte, at) => byte ^ (short[at] ?? 0))
  return sha256(Buffer.concat([padded(0x5c), sha256(Buffer.concat([padded(0x36), Buffer.from(text)]))]))
}
