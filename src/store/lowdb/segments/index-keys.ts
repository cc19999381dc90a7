import type {Yield} from '../../../time-slices.js'
import type {Cells} from './pages.js'

/** Steps between two looks at the clock. */
const stepSize = 4096
/** Numbers of a block: a hash and a slot for each key. */
const blockSize = 1 << 15
/** A hash is sorted by digits of eleven bits, the lowest first. */
const digits = [0, 11, 22]
const digitValues = 1 << 11

/** The slot of a key whose line was dropped. Below all others, so that such a key never holds up those of its hash. */
export const noSlot = -1

/** Keys of an index, ascending by hash and then by slot. */
export interface KeySource {
  /** Moves to the next key, first to the first one; false behind the last. */
  next(): boolean
  readonly hash: number
  /** `noSlot` for a key to leave out. */
  readonly slot: number
  readonly count: number
}

/** The keys of another index, of which the slots changed in their order. */
export class CarriedKeys implements KeySource {
  readonly count: number
  readonly #cells: Cells
  readonly #slots: Int32Array

  /** `slots` has the new slot of each former one. */
  constructor(cells: Cells, slots: Int32Array) {
    this.count = cells.count
    this.#cells = cells
    this.#slots = slots
  }

  next(): boolean {
    return this.#cells.next()
  }

  get hash(): number {
    return this.#cells.first
  }

  get slot(): number {
    return this.#slots[this.#cells.second] ?? noSlot
  }
}

/** Keys that are added slot by slot, and sorted when all are there. */
export class AddedKeys {
  #blocks: Uint32Array[] = []
  #block = new Uint32Array(0)
  #filled = 0

  add(hash: number, slot: number): void {
    if (this.#filled === this.#block.length) {
      this.#block = new Uint32Array(blockSize)
      this.#blocks.push(this.#block)
      this.#filled = 0
    }
    this.#block[this.#filled] = hash
    this.#block[this.#filled + 1] = slot
    this.#filled += 2
  }

  /** The keys in order; there are none left here. Stable sorts by each digit keep those of one hash ascending by slot. */
  async sorted(yields: Yield): Promise<KeySource> {
    const length = Math.max(0, this.#blocks.length - 1) * blockSize + this.#filled
    let from = new Uint32Array(length)
    for (const [at, block] of this.#blocks.entries()) {
      from.set(block.subarray(0, Math.min(blockSize, length - at * blockSize)), at * blockSize)
      await yields()
    }
    this.#blocks = []
    let to = new Uint32Array(length)
    for (const shift of digits) {
      await sortByDigit(from, to, shift, yields)
      ;[from, to] = [to, from]
    }
    return new SortedKeys(from)
  }
}

async function sortByDigit(from: Uint32Array, to: Uint32Array, shift: number, yields: Yield): Promise<void> {
  const starts = new Uint32Array(digitValues + 1)
  for (let at = 0; at < from.length; at += stepSize) {
    count(from.subarray(at, at + stepSize), starts, shift)
    await yields()
  }
  for (let digit = 1; digit <= digitValues; digit += 1) {
    starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number)
  }
  for (let at = 0; at < from.length; at += stepSize) {
    distribute(from.subarray(at, at + stepSize), {to, starts}, shift)
    await yields()
  }
}

// The inner loops are functions of their own: V8 does not optimise an asynchronous one while it runs.
function count(pairs: Uint32Array, counts: Uint32Array, shift: number): void {
  for (let at = 0; at < pairs.length; at += 2) {
    const next = (((pairs[at] as number) >>> shift) & (digitValues - 1)) + 1
    counts[next] = (counts[next] as number) + 2
  }
}

function distribute(
  pairs: Uint32Array,
  {to, starts}: {readonly to: Uint32Array; readonly starts: Uint32Array},
  shift: number,
): void {
  for (let at = 0; at < pairs.length; at += 2) {
    const hash = pairs[at] as number
    const digit = (hash >>> shift) & (digitValues - 1)
    const target = starts[digit] as number
    to[target] = hash
    to[target + 1] = pairs[at + 1] as number
    starts[digit] = target + 2
  }
}

class SortedKeys implements KeySource {
  readonly #pairs: Uint32Array
  #at = -2

  constructor(pairs: Uint32Array) {
    this.#pairs = pairs
  }

  get count(): number {
    return this.#pairs.length / 2
  }

  next(): boolean {
    this.#at += 2
    return this.#at < this.#pairs.length
  }

  get hash(): number {
    return this.#pairs[this.#at] as number
  }

  get slot(): number {
    return this.#pairs[this.#at + 1] as number
  }
}

/** The keys of several sources in order. */
export class KeyMerge {
  #live: readonly KeySource[]

  constructor(sources: readonly KeySource[]) {
    this.#live = sources.filter((source) => source.next())
  }

  /** Passes keys on for a while, until `take` says that it is full; false at the end. */
  step(take: (hash: number, slot: number) => boolean): boolean {
    for (let step = 0; step < stepSize; ) {
      const least = this.#least()
      if (!least) return false
      const bound = this.#leastHashBeside(least)
      let isFull = false
      do {
        const {slot} = least
        if (slot !== noSlot) isFull = take(least.hash, slot)
        step += 1
        if (!least.next()) {
          this.#live = this.#live.filter((source) => source !== least)
          break
        }
      } while (!isFull && least.hash < bound && step < stepSize)
      if (isFull) return true
    }
    return true
  }

  #least(): KeySource | undefined {
    let least = this.#live[0]
    for (let at = 1; at < this.#live.length; at += 1) {
      const other = this.#live[at] as KeySource
      const beside = least as KeySource
      if (other.hash < beside.hash || (other.hash === beside.hash && other.slot < beside.slot)) least = other
    }
    return least
  }

  /** Up to this hash, the keys of a source come before all others. */
  #leastHashBeside(source: KeySource): number {
    let least = Number.POSITIVE_INFINITY
    for (const other of this.#live) if (other !== source && other.hash < least) least = other.hash
    return least
  }
}
