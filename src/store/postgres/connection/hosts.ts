import {setTimeout as pause} from 'node:timers/promises'
import pg from 'pg'
import {type Run, runOn} from './batch.js'
import {NoConnection, OnlyStandbys, sqlState} from './faults.js'
import {patientMs} from './transaction.js'

/** One server of a database, with how to speak to it. */
export interface Host {
  readonly host: string
  readonly port: number
  readonly ssl: pg.ClientConfig['ssl']
}

/** Connections to servers that only read. */
const readers = new WeakSet<pg.Client>()

/** How often a standby is asked how far it is. */
const replayMs = 5

/** Delay after which the next host is tried in parallel with one that has not answered. */
const staggerMs = 500

/**
 * The servers of one database, of which one accepts writes. Connects to that one; while there is none, to one that can
 * be read.
 */
export class Hosts {
  readonly #hosts: readonly Host[]
  readonly #mustWrite: boolean
  /** Index of the last host that accepted writes, which is tried first. */
  #writable = 0

  /** `mustWrite` requires a host that accepts writes, even if only others answer. */
  constructor({hosts, mustWrite}: {readonly hosts: readonly Host[]; readonly mustWrite: boolean}) {
    this.#hosts = hosts
    this.#mustWrite = mustWrite
  }

  async connect(config: pg.ClientConfig): Promise<pg.Client> {
    const [first, ...others] = this.#hosts
    if (first && others.length === 0 && !this.#mustWrite) return connected({...config, ...first})
    return this.#firstWritable(config)
  }

  /** Asks the hosts in turn, each once the one before has ended or has not answered for a while. */
  async #firstWritable(config: pg.ClientConfig): Promise<pg.Client> {
    const over = new AbortController()
    const order = this.#hosts.map((_, at) => (this.#writable + at) % this.#hosts.length)
    let turn: Promise<unknown> = Promise.resolve()
    const answers = order.map((at) => {
      const answer = turn.then(() => {
        over.signal.throwIfAborted()
        return asked({...config, ...this.#hosts[at]})
      })
      const patience = turn.then(() => pause(staggerMs, undefined, {signal: over.signal}))
      turn = Promise.race([answer, patience]).catch(() => {})
      return answer
    })
    const writing = answers.map(async (answer, nth) => {
      const {client, takesWrites} = await answer
      if (!takesWrites) throw new OnlyStandbys('no host takes writes')
      return {client, at: order[nth] ?? 0}
    })
    let chosen: pg.Client | undefined
    try {
      const {client, at} = await Promise.any(writing)
      this.#writable = at
      chosen = client
    } catch (none) {
      const standby = this.#mustWrite ? undefined : await Promise.any(answers).catch(() => undefined)
      const failures = (none as AggregateError).errors
      if (!standby) throw failures.find((failure) => sqlState(failure) !== undefined) ?? failures[0]
      chosen = standby.client
    } finally {
      over.abort()
      for (const answer of answers) {
        void answer.then(({client}) => (client === chosen ? undefined : client.end())).catch(() => {})
      }
    }
    return chosen
  }
}

/** Writing takes a tenth less of the database's time with LZ4, where it has that, and reading does not care. */
const fastCompression = `SELECT set_config(name, 'lz4', false) FROM pg_settings
  WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`

async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // Statements report the loss of their connection themselves; an unhandled `error` event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    client.query(fastCompression).catch(() => {})
    return client
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

/** A connection, and whether its server takes writes: neither a standby nor set to read only. */
async function asked(config: pg.ClientConfig): Promise<{client: pg.Client; takesWrites: boolean}> {
  const client = await connected(config)
  try {
    const question = {text: 'SHOW transaction_read_only', query_timeout: config.connectionTimeoutMillis}
    const {rows} = await client.query<{transaction_read_only: string}>(question)
    const takesWrites = rows[0]?.transaction_read_only === 'off'
    if (!takesWrites) readers.add(client)
    return {client, takesWrites}
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

/**
 * Runs statements that read. A standby gets them once it has replayed what it had received: a commit that waits for it is
 * acknowledged when it is on the standby's disk, and can be read there only later. Throws NoConnection if that takes long.
 */
export async function readingOn(client: pg.Client): Promise<Run> {
  const run = runOn(client)
  if (!readers.has(client)) return run
  const [[received] = []] = (await run({text: 'SELECT pg_last_wal_receive_lsn()'})).rows
  const until = performance.now() + patientMs
  while (received) {
    const [[isReplayed] = []] = (await run({text: 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn'}, [received])).rows
    if (isReplayed === 't') break
    if (performance.now() > until) throw new NoConnection('the standby has not replayed what it received')
    await pause(replayMs)
  }
  return run
}
