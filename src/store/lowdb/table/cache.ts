interface Kept<V> {
  readonly value: V
  readonly bytes: number
}

interface Read<V> {
  readonly key: number
  readonly value: V
}

/** Values that were read once, at most one for each remainder of their keys; a power of two. */
const lastReads = 64

/** Of the budget, how large such a value may be. */
const readShare = 1024

/** Keys that are remembered when their values are gone, at most one for each remainder; a power of two. */
const rememberedKeys = 1 << 15

/**
 * A cache with a budget of bytes for what is read again. A value that was read once stays for a moment, and its key is
 * remembered: if it is read again later, it stays, in two generations, what was used since the last change of generations
 * and what was used in the one before. The older one goes as a whole. (2Q: Johnson and Shasha, 1994.)
 *
 * Whatever is kept passes into the old generation of V8, whose collections cost more than to read a line again. To drop
 * single values from a Map, the first one first, takes ever longer: each deletion leaves a hole that the next search for
 * the first one walks over.
 */
export class Cache<V> {
  readonly #most: number
  readonly #reads = new Array<Read<V> | undefined>(lastReads)
  #remembered: Float64Array | undefined
  #young = new Map<number, Kept<V>>()
  #old: ReadonlyMap<number, Kept<V>> = new Map()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#most = budgetBytes / 2
  }

  get(key: number): V | undefined {
    const read = this.#reads[key % lastReads]
    if (read?.key === key) return read.value
    const young = this.#young.get(key)
    if (young) return young.value
    const old = this.#old.get(key)
    if (!old) return undefined
    this.#keep(key, old)
    return old.value
  }

  set(key: number, value: V, bytes: number): void {
    if (bytes > this.#most) return
    if (this.#young.has(key) || this.#old.has(key) || this.#isRemembered(key)) this.#keep(key, {value, bytes})
    const at = key % lastReads
    if (bytes * readShare <= this.#most) this.#reads[at] = {key, value}
    else if (this.#reads[at]?.key === key) this.#reads[at] = undefined
  }

  /** Whether the key is among those of late, as it is from now on. */
  #isRemembered(key: number): boolean {
    this.#remembered ??= new Float64Array(rememberedKeys).fill(Number.NaN)
    const at = key % rememberedKeys
    if (this.#remembered[at] === key) return true
    this.#remembered[at] = key
    return false
  }

  #keep(key: number, kept: Kept<V>): void {
    const {bytes} = kept
    this.#bytes += bytes - (this.#young.get(key)?.bytes ?? 0)
    if (this.#bytes > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = bytes
    }
    this.#young.set(key, kept)
  }
}
