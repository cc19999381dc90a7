/** Thrown between two steps of long work on one document: the caller lets others work and repeats the call. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** One for all, since its trace would take longer than what it interrupts. */
const interrupted = new Interrupted()

/** Characters that are looked at between two interruptions: about a millisecond of work. */
const sliceCharacters = 262_144

/** Making a character of a text takes as long as looking at so many. */
const charactersToMake = 64

/** Calling a step takes as long as looking at so many. */
const charactersToBegin = 64

/**
 * Counts the characters that a search looks at, so that one document is not looked at longer than others can wait. What a
 * step found has to be kept by its caller: the next try begins with it.
 */
export class Effort {
  #left = sliceCharacters
  #mayExceed = true

  /**
   * To be called before each step, with the characters that it looks at. Throws Interrupted if what is left of the slice
   * does not suffice. One step of a slice may take more than is left, however much: it may be within others, which begin again.
   */
  claim(characters: number): void {
    const cost = characters + charactersToBegin
    if (cost > this.#left) {
      if (!this.#mayExceed) {
        this.#left = sliceCharacters
        this.#mayExceed = true
        throw interrupted
      }
      this.#mayExceed = false
    }
    this.#left -= cost
  }

  /** For what a step turned out to take beyond its claim. */
  spend(characters: number): void {
    this.#left -= characters
  }
}

/** A text that is made in pieces, as far as the effort allows at a time. */
export class TextInPieces {
  readonly #pieces: Iterator<string, void>
  readonly #effort: Effort
  #text = ''
  #isWhole = false

  constructor(pieces: Iterable<string>, effort: Effort) {
    this.#pieces = pieces[Symbol.iterator]() as Iterator<string, void>
    this.#effort = effort
  }

  /** Throws Interrupted while it is not whole. */
  whole(): string {
    while (!this.#isWhole) {
      this.#effort.claim(0)
      const {done, value} = this.#pieces.next()
      if (done) this.#isWhole = true
      else {
        this.#effort.spend(value.length * charactersToMake)
        this.#text += value
      }
    }
    return this.#text
  }
}

/** The result of work; undefined if it was interrupted. */
export function uninterrupted<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Interrupted) return undefined
    throw error
  }
}
