import {join} from 'node:path'
import {type Client, Unreachable} from '../../client/client.js'
import {placeKey, placeOf} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {privateFolder, readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'
import type {Anchor, StoredMark} from '../../transfer/target/marks.js'
import {durationMs, sinceOf} from '../process/durations.js'
import {interruption} from '../process/interruption.js'
import {counted} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {digestOf, sinceFolder} from '../target/settings.js'
import type {ResolvedTarget} from '../target/target.js'
import type {BulkFlags} from './flags.js'
import {chainOf, changeMark, insertSorted, type Mark, markIn, markOf, truncated} from './marks.js'

const nameForm = /^last(?::([\w.-]{1,64}))?$/

/** Said where a target does not keep the mark. */
const staysHere =
  '--since last: the target keeps no mark for this client (manage_key_value_documents); it stays on this machine'

/**
 * Where a run with `--since` begins, and the mark that keeps how far runs came: at the target that they write, so that
 * any machine can continue; in a private file for exports, and if the client may not store it at the target.
 */
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
  /** What a target that is written keeps it under. */
  readonly #key: string | undefined
  #mark: Mark | undefined
  #atTarget: StoredMark | undefined
  #anchor: Anchor | undefined

  private constructor(run: Run, text: string, overlapMs: number, flow: readonly unknown[], written?: ResolvedTarget) {
    this.#run = run
    this.#overlapMs = overlapMs
    const [last, name = ''] = nameForm.exec(text) ?? []
    this.#isLast = last !== undefined
    this.#moment = this.#isLast ? undefined : sinceOf(text, '--since', run.io.clock())
    this.#folder = sinceFolder(run.folders)
    const machine = digestOf([name, ...flow, ...(written ? [flowEnd(written)] : [])])
    this.#path = join(this.#folder, `${machine}.json`)
    // The target may have another name on another machine.
    this.#key = written && digestOf([name, ...flow, written.target.storeKey])
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

  /** What the job records, so that an undo of the job finds the mark. */
  get about(): {readonly mark?: string} {
    return defined({mark: this.#key})
  }

  /**
   * Undefined without the flag. `flow` tells this flow of changes from others: the command, its source and its predicates,
   * beside the target that is written, if one is.
   */
  static of(
    run: Run<Pick<BulkFlags, 'since' | 'overlap'>>,
    flow: readonly unknown[],
    written?: ResolvedTarget,
  ): Since | undefined {
    const {since, overlap = '5m'} = run.flags
    return since === undefined ? undefined : new Since(run, since, durationMs(overlap, '--overlap'), flow, written)
  }

  /** Says what is read. Of a target that is written, the last mark counts that was made at what it is now. */
  async begin(target?: Client): Promise<void> {
    if (target && this.#key !== undefined) {
      const {readMark} = await import('../../transfer/target/marks.js')
      this.#atTarget = await readMark(target, this.#key, interruption())
      this.#mark = markOf(this.#atTarget?.value) ?? this.#mark
      if (!this.#atTarget) this.#run.say(staysHere)
    }
    const kept = this.#kept
    if (target && this.#mark) {
      const {anchorsAt} = await import('../../transfer/target/marks.js')
      const chain = [...chainOf(this.#mark)]
      const anchors = chain.flatMap(({anchor}) => anchor ?? [])
      const held = await anchorsAt(target, anchors, interruption())
      this.#mark = chain.find(({anchor}) => anchor && held.includes(anchor))
    }
    const isOther = this.#isLast && kept !== this.#kept
    if (isOther) this.#run.say('--since last: the target was emptied or restored since the last run')
    if (this.from !== undefined) this.#run.say(`changes since ${this.from}`)
    else this.#run.say(`no ${isOther ? 'run since then' : 'earlier run with --since last'}: everything is read`)
  }

  /** Remembers how far a run came, and the anchor by which the next run recognises the target. */
  async reach(watermark: string | undefined, target: Client): Promise<void> {
    const {anchorOf} = await import('../../transfer/target/marks.js')
    this.#anchor = await anchorOf(target, interruption())
    this.reached = watermark
  }

  /**
   * Keeps how far a run came that did everything, and says so. The place never goes back, and never past changes that no
   * run has read.
   */
  async end(failed: number, job?: string): Promise<void> {
    const {reached} = this
    const say = (note: string) => this.#run.say(note)
    if (failed > 0) {
      say(`--since last ${this.#stays}: ${counted(failed, 'row')} failed`)
    } else if (reached !== undefined && (this.#kept === undefined || reached > this.#kept)) {
      const leavesGap = !this.#isLast && this.#kept !== undefined && (this.from ?? '') > this.#kept
      if (leavesGap) say(`--since last ${this.#stays}, since this run began later`)
      else say(await this.#keep(defined({watermark: reached, job, anchor: this.#anchor})))
    }
  }

  get #stays(): string {
    return this.#kept === undefined ? 'begins anew' : `still goes on at ${this.#kept}`
  }

  async #keep(mark: Mark): Promise<string> {
    let result: Awaited<ReturnType<typeof changeMark>>
    try {
      result = await this.#keepAtTarget(mark)
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Unreachable)) throw error
      // The run is done; what is not kept is read again.
      return `--since last ${this.#stays}: the target did not keep the mark. ${error.message}`
    }
    if (result === 'stays') return `--since last ${this.#stays}: the mark was put back or changed meanwhile`
    if (result === 'kept') {
      removeQuietly(this.#path)
    } else {
      privateFolder(this.#folder)
      const before = mark.job === undefined ? undefined : this.#mark
      replacePrivate(this.#path, JSON.stringify(truncated(defined({...mark, before}))))
    }
    return `--since last goes on at ${mark.watermark}`
  }

  /** Others may have moved the mark since it was read: then those of all runs count, the latest first. */
  async #keepAtTarget(mark: Mark): Promise<'kept' | 'stays' | undefined> {
    const [read, began] = [this.#atTarget, this.#mark]
    if (!read || this.#key === undefined) return undefined
    const result = await changeMark(await this.#run.client(), this.#key, read, (now, {version}) => {
      if (version === read.version) return truncated(insertSorted(began, mark))
      const isPutBack = began !== undefined && (now === undefined || now.watermark < began.watermark)
      return isPutBack ? undefined : truncated(insertSorted(now, mark))
    })
    if (result === undefined) this.#run.say(staysHere)
    return result
  }
}

/** One end of a flow. */
export const flowEnd = (resolved: ResolvedTarget): readonly unknown[] => [
  placeKey(placeOf(resolved.target)),
  resolved.target.storeKey,
]
