/** What lasts longer no longer keeps others back: it may wait for a lock, or for a connection that has died. */
const usualSlowMs = 20

/** A semaphore with a timeout: what comes while all places are taken gathers, and goes together. */
export class Semaphore {
  #free: number
  readonly #freed: () => void
  readonly #slowMs: number
  #isDue = false

  /** `freed` is called whenever a place becomes free, and `soon`. */
  constructor(places: number, freed: () => void, slowMs = usualSlowMs) {
    this.#free = places
    this.#freed = freed
    this.#slowMs = slowMs
  }

  /** Calls `freed` when this turn of the event loop ends, once for all who ask. */
  soon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#freed()
    })
  }

  /** Takes a place and returns what gives it back; undefined if none is free. */
  take(): (() => void) | undefined {
    if (this.#free === 0) return undefined
    this.#free -= 1
    let isOver = false
    const over = (): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      this.#free += 1
      this.#freed()
    }
    const timer = setTimeout(over, this.#slowMs)
    return over
  }
}
