import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import type {RecentRows} from '../../transfer/check/recent-rows.js'
import {durationMs, sinceOf} from '../process/durations.js'
import {usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {sinceFolder} from '../target/settings.js'
import {type ResolvedTarget, targetName} from '../target/target.js'
import type {BulkFlags} from './flags.js'

const nameForm = /^last(?::([\w.-]{1,64}))?$/

/** Where a run with `--since` begins, and the private file that keeps how far runs came. */
export class Since {
  /** The moment from which changes are read; undefined: everything. */
  readonly from: string | undefined
  /** How far the run came, in times of the server; to be set when it has ended. */
  reached: string | undefined
  readonly #run: Run
  readonly #path: string
  readonly #folder: string
  readonly #kept: string | undefined
  readonly #isLast: boolean

  private constructor(run: Run, text: string, overlapMs: number, flow: readonly unknown[]) {
    this.#run = run
    const [last, name = ''] = nameForm.exec(text) ?? []
    this.#isLast = last !== undefined
    this.#folder = sinceFolder(run.folders)
    const digest = createHash('sha256').update(JSON.stringify([name, ...flow]))
    this.#path = join(this.#folder, `${digest.digest('hex')}.json`)
    this.#kept = watermarkIn(readPrivate(this.#path))
    if (!this.#isLast) this.from = sinceOf(text, '--since', run.io.clock())
    else if (this.#kept !== undefined) this.from = new Date(Date.parse(this.#kept) - overlapMs).toISOString()
  }

  /**
   * Undefined without the flag. `flow` tells this flow of changes from others: the command, its two ends and its
   * predicates.
   */
  static of(run: Run<BulkFlags>, flow: readonly unknown[]): Since | undefined {
    const {since, overlap = '5m'} = run.flags
    if (since === undefined) return undefined
    const made = new Since(run, since, durationMs(overlap, '--overlap'), flow)
    run.say(made.note)
    return made
  }

  /** What is read, for people. */
  get note(): string {
    if (this.from !== undefined) return `changes since ${this.from}`
    return 'no earlier run with --since last: everything is read'
  }

  /**
   * Keeps how far a run came that did everything, and says so. The place never goes back, and never past changes that no
   * run has read.
   */
  end(failed: number): void {
    const {reached} = this
    const say = (note: string) => this.#run.say(note)
    if (failed > 0) {
      const again = this.#kept === undefined ? 'begins anew' : `still goes on at ${this.#kept}`
      say(`--since last ${again}: ${failed === 1 ? '1 row' : `${failed} rows`} failed`)
    } else if (reached !== undefined && (this.#kept === undefined || reached > this.#kept)) {
      say(this.#keep(reached))
    }
  }

  #keep(watermark: string): string {
    const leavesGap = !this.#isLast && this.#kept !== undefined && (this.from ?? '') > this.#kept
    if (leavesGap) return `--since last still goes on at ${this.#kept}, since this run began later`
    privateFolder(this.#folder)
    replacePrivate(this.#path, JSON.stringify({watermark}))
    return `--since last goes on at ${watermark}`
  }
}

function watermarkIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    const {watermark} = JSON.parse(text) as {readonly watermark?: unknown}
    if (typeof watermark === 'string' && !Number.isNaN(Date.parse(watermark))) return watermark
  } catch {
    // Answered below, as a file of another content is.
  }
  throw usage('What --since last had kept cannot be read.', 'Name the moment: --since 2026-11-01, say.')
}

/** The rows of an import that a run with `--since` wants. */
export async function recentRows(since: Since | undefined): Promise<RecentRows | undefined> {
  if (!since) return undefined
  const {RecentRows} = await import('../../transfer/check/recent-rows.js')
  return new RecentRows(since.from)
}

/** One end of a flow. */
export const flowEnd = (resolved: ResolvedTarget): readonly unknown[] => [
  targetName(resolved),
  resolved.target.projectKey,
  resolved.target.storeKey,
]
