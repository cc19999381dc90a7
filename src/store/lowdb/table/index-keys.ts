import {chunkBytes} from './pages.js'

/** The slot of a key whose line was dropped. */
export const noSlot = -1
const noPairs = new Uint32Array(0)

/** Keys in order, ascending by hash and then by slot: a slot and a hash each, in a block at a time. */
export class KeyRun {
  readonly #following: () => Uint32Array
  pairs: Uint32Array = noPairs
  at = 0

  /** `following` has the next block; an empty one is the end. */
  constructor(following: () => Uint32Array) {
    this.#following = following
  }

  /** Goes on to the next block once this one has been read; false at the end. */
  fill(): boolean {
    if (this.at === this.pairs.length) {
      this.pairs = this.#following()
      this.at = 0
    }
    return this.pairs.length > 0
  }
}

/** The keys of another index. `slots` has the new slot of each former one, or `noSlot`. */
export function carriedKeys(blocks: () => Uint32Array, slots: Int32Array): KeyRun {
  const kept = new Uint32Array(chunkBytes / 4)
  return new KeyRun(() => {
    for (;;) {
      const block = blocks()
      const end = renumber(block, slots, kept)
      if (end > 0 || block.length === 0) return kept.subarray(0, end)
    }
  })
}

/** Copies pairs with their new slots, without those that have none; returns the length of what was kept. */
function renumber(pairs: Uint32Array, slots: Int32Array, kept: Uint32Array): number {
  let end = 0
  for (let at = 0; at < pairs.length; at += 2) {
    const slot = slots[pairs[at] as number] ?? noSlot
    if (slot < 0) continue
    kept[end] = slot
    kept[end + 1] = pairs[at + 1] as number
    end += 2
  }
  return end
}

/** Keys that are added slot by slot, and sorted when all are there. */
export class AddedKeys {
  #pairs = new Uint32Array(1 << 12)
  #filled = 0

  add(hash: number, slot: number): void {
    if (this.#filled === this.#pairs.length) {
      const more = new Uint32Array(this.#filled * 2)
      more.set(this.#pairs)
      this.#pairs = more
    }
    this.#pairs[this.#filled] = slot
    this.#pairs[this.#filled + 1] = hash
    this.#filled += 2
  }

  /** The keys in order. */
  run(): KeyRun {
    const pairs = this.#pairs.subarray(0, this.#filled)
    // The hash is the upper half of a number of 64 bits.
    new BigUint64Array(pairs.buffer, 0, pairs.length / 2).sort()
    const blocks = [pairs]
    return new KeyRun(() => blocks.pop() ?? noPairs)
  }
}

/** The keys of several runs in order. */
export class KeyMerge {
  readonly #live: KeyRun[]

  constructor(runs: readonly KeyRun[]) {
    this.#live = runs.filter((run) => run.fill())
  }

  /** Fills the block as far as there are keys; returns how much of it. */
  take(block: Uint32Array): number {
    let filled = 0
    while (filled < block.length && this.#live.length > 0) {
      const least = leastOf(this.#live)
      block[filled] = least.pairs[least.at] as number
      block[filled + 1] = least.pairs[least.at + 1] as number
      filled += 2
      least.at += 2
      if (!least.fill()) this.#live.splice(this.#live.indexOf(least), 1)
    }
    return filled
  }
}

function leastOf(runs: readonly KeyRun[]): KeyRun {
  let least = runs[0] as KeyRun
  for (let at = 1; at < runs.length; at += 1) {
    const other = runs[at] as KeyRun
    const [hash, beside] = [other.pairs[other.at + 1] as number, least.pairs[least.at + 1] as number]
    if (hash > beside) continue
    if (hash < beside || (other.pairs[other.at] as number) < (least.pairs[least.at] as number)) least = other
  }
  return least
}
