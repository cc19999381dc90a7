/**
 * Buffers of one length that are used again, allocated several at once. Allocated and freed one by one they would leave
 * holes in the heap of the C library, which grows by them.
 */
export class BufferPool {
  readonly #length: number
  readonly #slabCount: number
  readonly #mostFree: number
  readonly #free: Buffer[] = []

  /** `slabCount`: how many are allocated at once. `mostFree`: how many wait for the next use; others are let go of. */
  constructor(length: number, {slabCount = 1, mostFree = Number.POSITIVE_INFINITY} = {}) {
    this.#length = length
    this.#slabCount = slabCount
    this.#mostFree = mostFree
  }

  take(): Buffer {
    if (this.#free.length === 0) {
      const slab = Buffer.allocUnsafeSlow(this.#length * this.#slabCount)
      for (let at = 0; at < slab.length; at += this.#length) this.#free.push(slab.subarray(at, at + this.#length))
    }
    return this.#free.pop() as Buffer
  }

  /** Whoever gave a buffer back must not read it any more: the next one writes over it. */
  give(buffer: Buffer): void {
    if (this.#free.length < this.#mostFree) this.#free.push(buffer)
  }
}
