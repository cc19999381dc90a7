/**
 * Buffers of one length that are used again, allocated several at once. Allocated and freed one by one they would leave
 * holes in the heap of the C library, which grows by them.
 */
export class BufferPool {
  readonly #length: number
  readonly #slabCount: number
  readonly #free: Buffer[] = []

  constructor(length: number, slabCount = 1) {
    this.#length = length
    this.#slabCount = slabCount
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
    this.#free.push(buffer)
  }
}
