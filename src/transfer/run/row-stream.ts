import {defined} from '../../domain/equal.js'
import {type Check, type CheckedRow, checkRows} from '../check/checked-rows.js'
import {isInShard, type Shard} from '../check/shard.js'
import type {Source} from '../input/row.js'
import {openFile} from '../input/source.js'
import type {PlanOptions} from '../write/plan-row.js'
import type {BulkOptions} from './options.js'
import {withoutHash} from './validation.js'

export interface RowStreamOptions {
  readonly plan: PlanOptions
  readonly shard: Shard | undefined
  /** Of the hash that finds repeats. */
  readonly seed: number
  /** Whether the target keeps hashes of passwords. */
  readonly keepsHashes: () => Promise<boolean>
}

/** The rows of a run, which are read once to be checked and once to be written. */
export class RowStream {
  /** Whether every row was read and found valid: what is read again has not changed, which reading makes sure of. */
  areValid = false
  readonly #sources: readonly Source[]
  readonly #options: BulkOptions
  readonly #run: RowStreamOptions
  #kept: Promise<boolean> | undefined
  #joined: Promise<Source> | undefined

  constructor(sources: readonly Source[], options: BulkOptions, run: RowStreamOptions) {
    this.#sources = sources
    this.#options = options
    this.#run = run
  }

  /** Reads the rows of the run anew, each checked unless all were found valid; `others` adds the invalid ones of other shards. */
  async check({others = false} = {}): Promise<Check> {
    const {plan, seed, shard} = this.#run
    const {match, mode} = plan
    const {mapping = {}, originals} = this.#options
    const rest = {seed, areValid: this.areValid, ...defined({originals, joined: await this.joined()})}
    const {rows, notes} = await checkRows({sources: this.#sources, mapping, match, mode, ...rest})
    const takesAll = !shard && !this.#options.recent && !this.#mayTakeHashes
    return {rows: takesAll ? rows : this.#selected(rows, others), notes}
  }

  /** The second file of the mapping. It is opened once, and must stay what it was. */
  joined(): Promise<Source> | undefined {
    const file = this.#options.mapping?.join?.file
    if (file !== undefined) this.#joined ??= openFile(file)
    return this.#joined
  }

  get #mayTakeHashes(): boolean {
    const {mode, passwordMode} = this.#run.plan
    return mode !== 'update' && passwordMode !== 'external-auth'
  }

  async *#selected(rows: AsyncIterable<CheckedRow>, others: boolean): AsyncGenerator<CheckedRow> {
    const {recent} = this.#options
    const {plan, shard} = this.#run
    for await (const row of rows) {
      if (recent?.isWanted(row) === false) continue
      if (shard && !(others && row.issues.length > 0) && !isInShard(shard, row, plan.match)) continue
      const bringsHash = this.#mayTakeHashes && typeof row.draft.passwordHash === 'string'
      yield bringsHash && !(await this.#hashesAreKept()) ? withoutHash(row) : row
    }
  }

  #hashesAreKept(): Promise<boolean> {
    this.#kept ??= this.#run.keepsHashes()
    return this.#kept
  }
}
