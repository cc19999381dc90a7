import pg from 'pg'
import {encoded} from './wire-values.js'

/** One row; values as text, in the order of the columns. */
export type Row = readonly (string | null)[]

export interface Answer {
  readonly rows: readonly Row[]
  /** Rows written, or read. */
  readonly count: number
  /** What the database says that it did: `UPDATE`, `COMMIT`. */
  readonly command: string
}

/** Every connection prepares it once, under its name; without one it is not prepared. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

export type Run = (statement: Statement, values?: readonly unknown[]) => Promise<Answer>

/** A statement was not run, since an earlier one of the same batch failed. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
}

interface Sent {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** The parts of the driver's connection that a batch uses; they are those that its cursors use too. */
interface Wire {
  readonly stream: {cork(): void; uncork(): void}
  parse(statement: {readonly name: string; readonly text: string}): void
  bind(values: {readonly statement: string; readonly values: readonly unknown[]}): void
  execute(): void
  close(statement: {readonly type: 'S'; readonly name: string}): void
  sync(): void
}

/** Names of the statements that a connection has prepared; `undefined` is one of which that is not known. */
const prepared = new WeakMap<object, Map<string, boolean>>()

/**
 * Statements that are sent with one write, and whose answers come back together: the database flushes what it says at the
 * end of the batch alone. The first to fail ends the batch; those behind it are not run.
 *
 * Over the driver's own pipelining, which sends a Describe and a Sync with each statement, it saves a commit alone about a
 * third of the CPU of this process; commits that come together, and reads, hardly differ.
 */
export class Batch extends pg.Query {
  readonly #statements: Sent[] = []
  readonly #answers: Answer[] = []
  #rows: Row[] = []
  #isSettled = false
  #names = new Map<string, boolean>()
  /** Set by the driver, which ends its timer by it. */
  declare callback?: (error?: unknown) => void

  constructor() {
    super({text: ''})
    this.callback = () => undefined
  }

  add(sent: Sent): void {
    this.#statements.push(sent)
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire
    this.#names = prepared.get(wire) ?? new Map()
    prepared.set(wire, this.#names)
    wire.stream.cork()
    try {
      for (const {name = '', text, values} of this.#statements) {
        const isKnown = name !== '' && this.#names.get(name)
        if (!isKnown) {
          if (isKnown === false) wire.close({type: 'S', name})
          wire.parse({name, text})
          if (name !== '') this.#names.set(name, true)
        }
        wire.bind({statement: name, values: values.map(encoded)})
        wire.execute()
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Columns are not described: their order is known, and every value comes as text. */
  handleDataRow({fields}: {readonly fields: Row}): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({text}: {readonly text: string}): void {
    const [command = '', ...numbers] = text.split(' ')
    this.#answers.push({rows: this.#rows, count: Number(numbers.at(-1) ?? 0), command})
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#settle()
  }

  handleError(error: unknown): void {
    // Of a statement that failed, or was not reached, nobody knows whether it was prepared.
    for (const {name} of this.#statements.slice(this.#answers.length)) if (name) this.#names.set(name, false)
    this.#settle(error)
  }

  #settle(error?: unknown): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.callback?.(error)
    for (const [at, {resolve, reject}] of this.#statements.entries()) {
      const answer = this.#answers[at]
      if (answer) resolve(answer)
      else if (at === this.#answers.length || !(error instanceof pg.DatabaseError)) reject(error)
      else reject(new NotRun('an earlier statement failed', {cause: error}))
    }
  }
}

/** Batches that take further statements until the turn of the event loop, or what it awaits at once, ends. */
const open = new WeakMap<pg.Client, Batch>()

/** Runs statements on a connection: those of one turn together. */
export const runOn =
  (client: pg.Client): Run =>
  ({name, text}, values = []) =>
    new Promise((resolve, reject) => {
      let batch = open.get(client)
      if (!batch) {
        const fresh = new Batch()
        batch = fresh
        open.set(client, fresh)
        process.nextTick(() => {
          open.delete(client)
          client.query(fresh)
        })
      }
      batch.add({name, text, values, resolve, reject})
    })
