import {hashProblem} from '../../domain/credentials/password-hash.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {type Check, type CheckedRow, checkRows} from '../check/checked-rows.js'
import {droppedRows} from '../check/duplicates.js'
import {isSmall, type Source} from '../input/row.js'
import {checkUnchanged, openFile} from '../input/source.js'
import type {PlanOptions} from '../write/plan-row.js'
import type {BulkOptions} from './options.js'
import {withoutHash} from './validation.js'

interface RowStreamOptions {
  readonly plan: PlanOptions
  readonly seed: number
  readonly today: string
  /** Whether the target keeps hashes of passwords, as servers of ours do. */
  readonly keepsHashes: () => Promise<boolean>
}

/** How many rows of small files are kept; each takes a kB. */
const mostKept = 16_384

/** The rows of a run: read once to be checked, and those of more than small files once more to be written. */
export class RowStream {
  /** Whether every row was read and found valid: what is read again has not changed, which reading makes sure of. */
  areValid = false
  readonly #sources: readonly Source[]
  readonly #options: BulkOptions
  readonly #run: RowStreamOptions
  #ours: Promise<boolean> | undefined
  #joined: Promise<readonly Source[]> | undefined
  #dropped: ReturnType<typeof droppedRows> | undefined
  #repeats: Check['repeats'] | undefined
  /** All rows as they were checked, if they are few, until they are taken. */
  #kept: Check | undefined

  constructor(sources: readonly Source[], options: BulkOptions, run: RowStreamOptions) {
    this.#sources = sources
    this.#options = options
    this.#run = run
  }

  /** The rows of the run: those that were kept, else read anew, each checked unless all were found valid. */
  async check(): Promise<Check> {
    const kept = this.#kept
    if (kept) {
      this.#kept = undefined
      for (const source of this.#sources) await checkUnchanged(source)
      return kept
    }
    const {plan, seed, today} = this.#run
    const {match, mode} = plan
    const {mapping = {}, originals} = this.#options
    const joined = await this.joined()
    const reading = {
      sources: this.#sources,
      mapping,
      match,
      mode,
      seed,
      today,
      joined,
      isOurs: this.#isOurs,
      ...defined({originals}),
    }
    const choice = this.#options.onDuplicate
    const readAgain = async () => (await checkRows({...reading, areValid: true})).pieces
    this.#dropped ??= choice && droppedRows(readAgain, {choice, match, seed})
    const {pieces, ...read} = await checkRows({
      ...reading,
      areValid: this.areValid,
      ...defined({dropped: await this.#dropped}),
    })
    const takesAll = !this.#options.recent && !this.#mayTakeHashes
    this.#repeats ??= read.repeats
    const check = {...read, pieces: takesAll ? pieces : this.#selected(pieces)}
    return isSmall(this.#sources) ? {...check, pieces: this.#keeping(check)} : check
  }

  /** Whether a row is about a customer; known once all were checked. */
  readonly hasRowOf = (customer: Customer): boolean => {
    const {match} = this.#run.plan
    return (match === 'key-or-email' ? (['key', 'email'] as const) : [match]).some(
      (member) => this.#repeats?.has(member, customer[member] ?? '') === true,
    )
  }

  /** The files of the joins of the mapping. They are opened once, and must stay what they were. */
  joined(): Promise<readonly Source[]> {
    const rules = this.#options.mapping?.join?.filter(({file}) => file !== undefined) ?? []
    this.#joined ??= Promise.all(
      rules.map(({file = '', encoding, sheet}) => openFile(file, defined({encoding, sheet}))),
    )
    return this.#joined
  }

  /** The same rows, which are kept once all of them were taken. */
  async *#keeping({pieces, ...read}: Check): AsyncGenerator<readonly CheckedRow[]> {
    const kept: (readonly CheckedRow[])[] = []
    let count = 0
    for await (const rows of pieces) {
      count += rows.length
      if (count <= mostKept) kept.push(rows)
      else kept.length = 0
      yield rows
    }
    if (count <= mostKept) this.#kept = {...read, pieces: handedOut(kept)}
  }

  get #mayTakeHashes(): boolean {
    const {mode, passwordMode} = this.#run.plan
    return mode !== 'update' && passwordMode !== 'external-auth'
  }

  async *#selected(pieces: Check['pieces']): AsyncGenerator<CheckedRow[]> {
    const {recent} = this.#options
    for await (const rows of pieces) {
      const selected: CheckedRow[] = []
      for (const row of rows) {
        if (recent?.isWanted(row) === false) continue
        const hash = this.#mayTakeHashes ? row.draft.passwordHash : undefined
        selected.push(typeof hash === 'string' && !(await this.#keeps(hash)) ? withoutHash(row) : row)
      }
      yield selected
    }
  }

  readonly #isOurs = (): Promise<boolean> => {
    this.#ours ??= this.#run.keepsHashes()
    return this.#ours
  }

  /** Where passwords are made, they also replace hashes that no server takes. */
  #keeps(hash: string): Promise<boolean> | boolean {
    if (this.#run.plan.passwordMode !== 'column' && hashProblem(hash) !== undefined) return false
    return this.#isOurs()
  }
}

/** So that a row can go when it was written. */
async function* handedOut(kept: (readonly CheckedRow[])[]): AsyncGenerator<readonly CheckedRow[]> {
  for (let rows = kept.shift(); rows; rows = kept.shift()) yield rows
}
