import {createHash} from 'node:crypto'
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {privateFolder, readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'
import type {Anchor} from '../../transfer/target/anchor.js'
import {durationMs, sinceOf} from '../process/durations.js'
import {usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {sinceFolder} from '../target/settings.js'
import {type ResolvedTarget, targetName} from '../target/target.js'
import type {BulkFlags} from './flags.js'

const nameForm = /^last(?::([\w.-]{1,64}))?$/

/** How far runs came: the last one, what it did, and the same of the run before it. */
interface Mark {
  readonly watermark: string
  /** What moved the mark; exports are no jobs. */
  readonly job?: string
  /** Of the target that was written; exports write none. */
  readonly anchor?: Anchor
  readonly before?: Mark
}

/** More runs than this before the last are forgotten: what is taken back then is read from the beginning. */
const mostBefore = 30

/** Where a run with `--since` begins, and the private file that keeps how far runs came. */
export class Since {
  /** How far the run came, in times of the server; to be set when it has ended. */
  reached: string | undefined
  readonly #run: Run
  readonly #path: string
  readonly #folder: string
  /** As the flag names it. */
  readonly #moment: string | undefined
  readonly #overlapMs: number
  readonly #isLast: boolean
  #mark: Mark | undefined
  #anchor: Anchor | undefined

  private constructor(run: Run, text: string, overlapMs: number, flow: readonly unknown[]) {
    this.#run = run
    this.#overlapMs = overlapMs
    const [last, name = ''] = nameForm.exec(text) ?? []
    this.#isLast = last !== undefined
    this.#moment = this.#isLast ? undefined : sinceOf(text, '--since', run.io.clock())
    this.#folder = sinceFolder(run.folders)
    const digest = createHash('sha256').update(JSON.stringify([name, ...flow]))
    this.#path = join(this.#folder, `${digest.digest('hex')}.json`)
    this.#mark = markIn(readPrivate(this.#path))
  }

  get #kept(): string | undefined {
    return this.#mark?.watermark
  }

  /** The moment from which changes are read; undefined: everything. */
  get from(): string | undefined {
    if (!this.#isLast) return this.#moment
    return this.#kept === undefined ? undefined : new Date(Date.parse(this.#kept) - this.#overlapMs).toISOString()
  }

  /**
   * Undefined without the flag. `flow` tells this flow of changes from others: the command, its two ends and its
   * predicates.
   */
  static of(run: Run<BulkFlags>, flow: readonly unknown[]): Since | undefined {
    const {since, overlap = '5m'} = run.flags
    return since === undefined ? undefined : new Since(run, since, durationMs(overlap, '--overlap'), flow)
  }

  /** Says what is read. Of a target that is written, the last mark counts that was made at what it is now. */
  async begin(target?: Client): Promise<void> {
    const kept = this.#kept
    if (target && this.#mark) {
      const {anchorsAt} = await import('../../transfer/target/anchor.js')
      const chain = [...chainOf(this.#mark)]
      const held = await anchorsAt(
        target,
        chain.flatMap(({anchor}) => anchor ?? []),
      )
      this.#mark = chain.find(({anchor}) => anchor && held.includes(anchor))
    }
    const isOther = this.#isLast && kept !== this.#kept
    if (isOther) this.#run.say('--since last: the target was emptied or restored since the last run')
    if (this.from !== undefined) this.#run.say(`changes since ${this.from}`)
    else this.#run.say(`no ${isOther ? 'run at what it is now' : 'earlier run with --since last'}: everything is read`)
  }

  /** Keeps in mind how far a run came, and by what its target will be known again. */
  async reach(watermark: string | undefined, target: Client): Promise<void> {
    const {anchorOf} = await import('../../transfer/target/anchor.js')
    this.#anchor = await anchorOf(target)
    this.reached = watermark
  }

  /**
   * Keeps how far a run came that did everything, and says so. The place never goes back, and never past changes that no
   * run has read.
   */
  end(failed: number, job?: string): void {
    const {reached} = this
    const say = (note: string) => this.#run.say(note)
    if (failed > 0) {
      const again = this.#kept === undefined ? 'begins anew' : `still goes on at ${this.#kept}`
      say(`--since last ${again}: ${failed === 1 ? '1 row' : `${failed} rows`} failed`)
    } else if (reached !== undefined && (this.#kept === undefined || reached > this.#kept)) {
      say(this.#keep(reached, job))
    }
  }

  #keep(watermark: string, job: string | undefined): string {
    const leavesGap = !this.#isLast && this.#kept !== undefined && (this.from ?? '') > this.#kept
    if (leavesGap) return `--since last still goes on at ${this.#kept}, since this run began later`
    privateFolder(this.#folder)
    const before = job === undefined ? undefined : this.#mark
    replacePrivate(this.#path, JSON.stringify(cut(defined({watermark, job, anchor: this.#anchor, before}), mostBefore)))
    return `--since last goes on at ${watermark}`
  }
}

function* chainOf(mark: Mark | undefined): Generator<Mark> {
  for (let one = mark; one; one = one.before) yield one
}

/** The mark with so many of the runs before it; nothing tells how far the others came. */
function cut({before, ...mark}: Mark, most: number): Mark {
  return before && most > 0 ? {...mark, before: cut(before, most - 1)} : mark
}

/** Puts the marks back that a job moved, since what it wrote is taken back. Runs after it are read again as well. */
export function takeMarksBack(run: Run, job: string): void {
  const folder = sinceFolder(run.folders)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    const mark = [...chainOf(markIn(readPrivate(path)))].find((one) => one.job === job)
    if (!mark) continue
    if (mark.before) replacePrivate(path, JSON.stringify(mark.before))
    else removeQuietly(path)
    run.say(
      `--since last ${mark.before ? `goes on at ${mark.before.watermark}` : 'begins anew'}: the run was taken back`,
    )
  }
}

function markIn(text: string | undefined): Mark | undefined {
  if (text === undefined) return undefined
  try {
    const mark = JSON.parse(text) as {readonly watermark?: unknown}
    if (typeof mark.watermark === 'string' && !Number.isNaN(Date.parse(mark.watermark))) return mark as Mark
  } catch {
    // Answered below, as a file of another content is.
  }
  throw usage('What --since last had kept cannot be read.', 'Name the moment: --since 2026-11-01, say.')
}

/** One end of a flow. */
export const flowEnd = (resolved: ResolvedTarget): readonly unknown[] => [
  targetName(resolved),
  resolved.target.projectKey,
  resolved.target.storeKey,
]
