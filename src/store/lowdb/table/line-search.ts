import {lineFeed} from '../file/checksum.js'
import {type Literal, type Literals, rarestFirst} from '../line/literals.js'

const quote = 0x22

/** A literal, and where its tail stands next in the window, as far as somebody has asked. */
interface Sought extends Literal {
  at: number
}

/** A line by its place in the window, without its line feed. */
interface Line {
  readonly start: number
  readonly end: number
}

/**
 * Finds the lines of a window that have a literal of each group. The window is searched as a whole, and the groups leap over
 * each other: a line without one of them is never looked at.
 */
export class LineSearch {
  readonly #groups: Sought[][]
  #window: Buffer = Buffer.alloc(0)

  constructor(literals: Literals) {
    this.#groups = rarestFirst(literals).map((group) => group.map((literal) => ({...literal, at: -1})))
  }

  /** Goes on in another window of whole lines. */
  begin(window: Buffer): void {
    this.#window = window
    for (const group of this.#groups) for (const sought of group) sought.at = -1
  }

  /** The first such line that begins at `from` or later. */
  next(from: number): Line | undefined {
    if (from >= this.#window.length) return undefined
    let line = this.#groups.length === 0 ? this.#lineAt(from) : undefined
    for (let at = 0; at < this.#groups.length; ) {
      const found = this.#first(this.#groups[at] as Sought[], line?.start ?? from)
      if (found === Number.POSITIVE_INFINITY) {
        // What ended this window is asked first in the next one.
        this.#groups.unshift(...this.#groups.splice(at, 1))
        return undefined
      }
      if (line && found < line.end) at += 1
      else {
        line = this.#lineAt(found)
        at = 0
      }
    }
    return line
  }

  #lineAt(position: number): Line {
    const end = this.#window.indexOf(lineFeed, position)
    const start = position === 0 ? 0 : this.#window.lastIndexOf(lineFeed, position - 1) + 1
    return {start, end: end < 0 ? this.#window.length : end}
  }

  /** Where a literal of the group stands at `from` or behind it. */
  #first(group: readonly Sought[], from: number): number {
    let first = Number.POSITIVE_INFINITY
    for (const sought of group) {
      if (sought.at < from) sought.at = this.#find(sought.tail, from)
      if (sought.at < first) first = sought.at
    }
    return first
  }

  #find(tail: Buffer, from: number): number {
    const window = this.#window
    for (let at = window.indexOf(tail, from); at >= 0; at = window.indexOf(tail, at + 1)) {
      if (window[at - 1] === quote) return at
    }
    return Number.POSITIVE_INFINITY
  }
}
