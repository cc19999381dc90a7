interface Digested {
  readonly salt: string
  readonly digest: string
}

interface Repeated extends Digested {
  readonly algorithm: Digest
  readonly rounds: number
}

/** How a password is compared with a hash: plain data that a password worker carries out. Texts are UTF-8. */
export type HashCheck =
  /** With a key, bcrypt got the password trimmed, as an HMAC under it. */
  | {readonly kind: 'bcrypt'; readonly hash: string; readonly macKey?: string}
  | ({readonly kind: 'argon2'} & Argon2 & Digested)
  | ({readonly kind: 'scrypt'} & Scrypt & Digested)
  /** phpass: a digest of salt and trimmed password, and then of itself and the password again and again. */
  | ({readonly kind: 'phpass'} & Repeated)
  /** A digest of the password with the salt before it, or behind it. */
  | ({readonly kind: 'salted'; readonly algorithm: Digest} & Digested)
  /** A digest of itself, the password and the salt, again and again. */
  | ({readonly kind: 'repeated'} & Repeated)
  /** A digest of salt and password, and of the salt and that digest once more for every later layer. */
  | ({readonly kind: 'layered'; readonly layers: readonly Layer[]} & Digested)

export type Digest = 'md5' | 'sha256' | 'sha512'
export type Layer = Digest | Argon2

/** Parameters of Argon2, version 1.3. Salts and digests of `argon2` and `scrypt` are base64, those of the others text. */
export interface Argon2 {
  readonly variant: 'i' | 'id'
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
  /** Bytes of the digest. */
  readonly length: number
}

export interface Scrypt {
  /** The base-2 logarithm of the cost N. */
  readonly costLog2: number
  readonly blockSize: number
  readonly lanes: number
}

/** What a comparison costs, in the unit of each algorithm: work is topped up with its like (decision 24). */
export interface HashWork {
  /** bcrypt: the base-2 logarithm of its rounds; 0 for none. */
  readonly cost: number
  /** Argon2: KiB of memory times passes. */
  readonly argon2: number
  /** scrypt: N times block size times lanes. */
  readonly scrypt: number
  /** MD5 and SHA: digests, unless they are a handful. */
  readonly digests: number
}

export const noWork: HashWork = {cost: 0, argon2: 0, scrypt: 0, digests: 0}

/** The greater of two works, unit by unit. */
export const greaterWork = (a: HashWork, b: HashWork): HashWork => ({
  cost: Math.max(a.cost, b.cost),
  argon2: Math.max(a.argon2, b.argon2),
  scrypt: Math.max(a.scrypt, b.scrypt),
  digests: Math.max(a.digests, b.digests),
})

/** Whether the first work covers the second, unit by unit. */
export const coversWork = (a: HashWork, b: HashWork): boolean =>
  a.cost >= b.cost && a.argon2 >= b.argon2 && a.scrypt >= b.scrypt && a.digests >= b.digests

const scryptWork = ({costLog2, blockSize, lanes}: Scrypt): number => 2 ** costLog2 * blockSize * lanes
const argon2Work = ({memoryKib, passes}: Argon2): number => memoryKib * passes

const argon2LayersOf = (check: HashCheck): readonly Argon2[] =>
  check.kind === 'argon2'
    ? [check]
    : check.kind === 'layered'
      ? check.layers.filter((one) => typeof one !== 'string')
      : []

/** KiB of memory that a comparison takes. */
export const memoryKibOf = (check: HashCheck): number =>
  check.kind === 'scrypt'
    ? (2 ** check.costLog2 * check.blockSize + check.blockSize * check.lanes) / 8
    : Math.max(0, ...argon2LayersOf(check).map(({memoryKib}) => memoryKib))

export function workOf(check: HashCheck): HashWork {
  return {
    cost: check.kind === 'bcrypt' ? Number(check.hash.slice(4, 6)) : 0,
    argon2: argon2LayersOf(check).reduce((sum, one) => sum + argon2Work(one), 0),
    scrypt: check.kind === 'scrypt' ? scryptWork(check) : 0,
    digests: check.kind === 'phpass' || check.kind === 'repeated' ? check.rounds : 0,
  }
}

/**
 * The most that a comparison may cost: what a stored hash makes every sign-in of its project do. Each takes about as
 * long as bcrypt of cost 14.
 */
export const hashBounds = {
  cost: [4, 14],
  argon2: 524_288,
  scrypt: 1_048_576,
  digests: 131_072,
  memoryKib: 131_072 + 1_024,
  lanes: 16,
} as const

/** Why a comparison is too expensive, or bcrypt too cheap; undefined if it is within the bounds. */
export function beyondBounds(check: HashCheck): string | undefined {
  const {cost, argon2, scrypt, digests} = workOf(check)
  const [least, most] = hashBounds.cost
  if (check.kind === 'bcrypt' && (cost < least || cost > most))
    return `its cost ${cost} is not one of ${least} to ${most}`
  const memoryKib = memoryKibOf(check)
  if (memoryKib > hashBounds.memoryKib) return 'it takes more than 128 MiB of memory'
  if (argon2 > hashBounds.argon2) return `memory times passes exceeds ${hashBounds.argon2} KiB`
  if (scrypt > hashBounds.scrypt) return `N·r·p exceeds ${hashBounds.scrypt}`
  if (digests > hashBounds.digests) return `it repeats more than ${hashBounds.digests} times`
  const lanes = check.kind === 'scrypt' ? check.lanes : Math.max(1, ...argon2LayersOf(check).map((one) => one.lanes))
  if (lanes > hashBounds.lanes) return `its parallelism ${lanes} exceeds ${hashBounds.lanes}`
  return undefined
}
