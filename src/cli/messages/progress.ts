import {closeSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {placeKey, placeOf} from '../../client/place.js'
import {openPrivate, privateFolder, readPrivate, replacePrivate, writeWhole} from '../../files/private-file.js'
import {BoundedMap} from '../../work/bounded-map.js'
import type {Run} from '../run/run.js'
import {digestOf, sinceFolder} from '../target/settings.js'
import {lookBackMs, type SeenMessage} from './follow.js'

/** How far a receiver got: everything before a moment, and of what follows the ids that it has. */
export interface Mark {
  readonly watermark: string
  readonly done: readonly string[]
}

const mostDone = 100_000
const saveMs = 1_000
/** Ids that are appended to a small mark before it is written anew. */
const leastRoom = 1_000
/** Behind every time: of a message of the mark that was not read again yet. */
const unseen = '~'

/** The file that tells how far a receiver got with messages of the target, or of some types of it. */
export const markPath = ({folders, resolved: {target}}: Run, url: string, types: readonly string[] = []): string =>
  join(sinceFolder(folders), `${digestOf(['messages forward', placeKey(placeOf(target)), url, types.toSorted()])}.json`)

/** The mark in a file: its last watermark, and the ids of all its lines. A kill may have cut the last line off. */
export function markAt(path: string): Mark | undefined {
  const lines = readPrivate(path)?.split('\n').slice(0, -1) ?? []
  const marks = lines.map((line) => JSON.parse(line) as Mark)
  const last = marks.at(-1)
  return last && {watermark: last.watermark, done: marks.flatMap(({done}) => done)}
}

function append(path: string, text: string): void {
  const file = openPrivate(path, {access: 'append'})
  try {
    writeWhole(file, text, path)
  } finally {
    closeSync(file)
  }
}

/** What was delivered, and from where a later run has to read. */
export class Progress {
  readonly #done = new BoundedMap<string, string>(mostDone)
  readonly #path: string
  readonly #clock: () => number
  /** Where reading began; nothing before it is delivered. */
  #start = ''
  from = ''
  #savedAt = 0
  #isChanged = false
  /** Delivered since the mark was stored. */
  #added: string[] = []
  #room = 0

  constructor(path: string, clock: () => number, mark: Mark | undefined) {
    this.#path = path
    this.#clock = clock
    if (mark) this.from = this.#start = mark.watermark
    for (const id of mark?.done ?? []) this.#done.set(id, unseen)
  }

  has({id, createdAt}: SeenMessage): boolean {
    const isDone = this.#done.has(id)
    if (isDone) this.#done.set(id, createdAt)
    return isDone
  }

  add({id, createdAt}: SeenMessage): void {
    this.#done.set(id, createdAt)
    this.#added.push(id)
    this.#isChanged = true
  }

  /** Everything to this time of the target was read; `oldest`: the creation of the oldest message that is not delivered. */
  reach(now: number, oldest: string | undefined): void {
    const back = new Date(now - lookBackMs).toISOString()
    // Messages may still appear that far back, but not before the start, unless the clock of the target was put back.
    const bound = this.#start !== '' && back < this.#start && now >= Date.parse(this.#start) ? this.#start : back
    if (this.#start === '') this.#start = bound
    const next = oldest !== undefined && oldest < bound ? oldest : bound
    const isBack = this.from !== '' && Date.parse(this.from) - Date.parse(next) > lookBackMs
    if (isBack || this.from === '') this.#isChanged = true
    if (isBack || next > this.from) this.from = next
  }

  /**
   * Stores the mark, if it has changed; at most once a second unless it is to be at once. It appends what is new, and writes
   * the file anew once that is more than what the file began with: an id costs the same, however many are waited for.
   */
  save(atOnce: boolean): void {
    const now = this.#clock()
    if (!this.#isChanged || this.from === '' || (!atOnce && Math.abs(now - this.#savedAt) < saveMs)) return
    const textOf = (done: readonly string[]) => `${JSON.stringify({watermark: this.from, done} satisfies Mark)}\n`
    this.#room -= this.#added.length + 1
    if (this.#room >= 0) append(this.#path, textOf(this.#added))
    else {
      for (const [id, createdAt] of this.#done) if (createdAt < this.from) this.#done.delete(id)
      privateFolder(dirname(this.#path))
      replacePrivate(this.#path, textOf([...this.#done.keys()]))
      this.#room = this.#done.size + leastRoom
    }
    this.#added = []
    this.#savedAt = now
    this.#isChanged = false
  }
}
