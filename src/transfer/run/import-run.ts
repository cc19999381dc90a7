import type {Client} from '../../client/client.js'
import {keepsPasswordHashes} from '../../client/kept-hashes.js'
import {lostZeros} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import {Causes} from '../check/causes.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {Notes} from '../check/notes.js'
import {readAs} from '../input/read-as.js'
import type {Source} from '../input/row.js'
import {Memory} from '../jobs/memory.js'
import {checkDecided} from '../mapping/mapping.js'
import {batchesOf} from '../send/batches.js'
import {type CustomerCalls, callsOf} from '../send/customer-calls.js'
import type {Runtime} from '../send/runtime.js'
import {Sender} from '../send/sender.js'
import {createNamed, type NoteReference} from '../target/references.js'
import {TargetChecks} from '../target/target-checks.js'
import {findCustomers, type Planned, type PlanOptions, planRow, planUpdate} from '../write/plan-row.js'
import {type Listener, tellNotes} from './events.js'
import {failureLimit} from './failure-limit.js'
import type {AboutJob, JobIdentity} from './open-job.js'
import {type BulkOptions, matchOf, runOf} from './options.js'
import {RowStream} from './row-stream.js'
import {InvalidRows, validate} from './validation.js'

/** Fewer retries before the first response, so that a wrong address fails fast. */
const firstContactRetries = 3
/** The parts of one run over the rows of some files. */
export class ImportRun {
  readonly runtime: Runtime
  readonly calls: CustomerCalls
  readonly sender: Sender
  readonly plan: PlanOptions
  readonly onEvent: Listener
  readonly concurrency: number
  readonly #options: BulkOptions
  readonly #sources: readonly Source[]
  readonly #firstContact: Sender
  readonly #unreachable = new Map<string, number>()
  readonly #changes = new Notes()
  readonly #client: Client
  readonly rows: RowStream
  readonly target: TargetChecks
  #contact: Promise<unknown> | undefined
  #memory: Promise<Memory> | undefined
  readonly #created = new Set<string>()
  #creating: Promise<void> = Promise.resolve()

  constructor(client: Client, sources: readonly Source[], options: BulkOptions) {
    const {mode = 'upsert', passwordMode = 'column', onNewer = 'keep', addresses} = options
    const {runtime, onEvent, concurrency, sending} = runOf(options)
    const match = matchOf(options)
    this.#client = client
    this.#options = options
    this.#sources = sources
    this.plan = {match, mode, passwordMode, onNewer, ...defined({addresses})}
    this.runtime = runtime
    this.onEvent = onEvent
    this.concurrency = concurrency
    this.calls = callsOf(client)
    this.sender = new Sender(sending)
    this.target = new TargetChecks({
      client,
      sender: this.sender,
      ...this.plan,
      hasRowOf: (customer) => this.rows.hasRowOf(customer),
      planAll: () => this.#planAll(),
      referencesComing: options.referencesComing === true,
      createsReferences: options.createsReferences === true,
      onUnchecked: (what, why) => onEvent({type: 'unchecked', what, why}),
    })
    this.#firstContact = new Sender({...sending, retries: Math.min(sending.retries, firstContactRetries)})
    this.rows = new RowStream(sources, options, {
      plan: this.plan,
      today: new Date(runtime.now()).toISOString().slice(0, 10),
      seed: runtime.bytes(4).readUInt32BE(),
      keepsHashes: () => this.#firstContact.send((signal) => keepsPasswordHashes(client, signal)),
    })
  }

  identity({target, command, about, plan}: AboutJob): JobIdentity {
    const {projectKey, storeKey} = this.#client
    const {mapping = {}, skipInvalid = false, onDuplicate} = this.#options
    const options = {...this.plan, mapping, skipInvalid, ...defined({plan, onDuplicate}), ...about}
    return {projectKey, target, options, ...defined({storeKey, command})}
  }

  readonly planRows = async (rows: readonly CheckedRow[]): Promise<readonly Planned[]> => {
    this.#contact ??= this.#firstContact.send((signal) => this.calls.page({limit: 1}, undefined, signal))
    await this.#contact
    await this.target.type(rows)
    const drafts = rows.flatMap(({draft, leftOut}) => (leftOut === undefined ? [draft] : []))
    const found = await findCustomers(drafts, this.plan.match, this.calls, this.sender)
    const planned: Planned[] = []
    const compared: Promise<void>[] = []
    for (const [at, row] of rows.entries()) {
      const {draft, leftOut} = row
      const one: Planned =
        leftOut === undefined
          ? planRow(row, found.get(draft) ?? [], this.plan)
          : {row, kind: 'skipped', reason: leftOut}
      planned.push(one)
      if (one.kind === 'update') compared.push(this.#compared(one, planned, at))
    }
    await Promise.all(compared)
    return planned
  }

  /** Puts an update at its place in a plan, held against what earlier runs wrote. */
  async #compared({row, current}: Extract<Planned, {kind: 'update'}>, planned: Planned[], at: number): Promise<void> {
    const written = await (await this.memory)?.of(current)
    if (written) planned[at] = planUpdate(row, current, this.plan, written)
  }

  async *#planAll(): AsyncGenerator<readonly Planned[]> {
    for await (const rows of batchesOf((await this.rows.check()).pieces))
      yield this.planRows(rows.filter(({issues}) => issues.length === 0))
  }

  /** What runs wrote at the target, if the run knows where that is kept. */
  get memory(): Promise<Memory> | undefined {
    const {jobsDir, target} = this.#options
    if (jobsDir === undefined || target === undefined) return undefined
    this.#memory ??= Memory.open(jobsDir, {target, projectKey: this.#client.projectKey})
    return this.#memory
  }

  async close(): Promise<void> {
    await (await this.#memory)?.close()
  }

  /** Plans rows for writing, and counts the members that no update can change. */
  readonly planRowsForGood = async (rows: readonly CheckedRow[]): Promise<readonly Planned[]> => {
    const planned = await this.planRows(rows)
    for (const member of planned.flatMap(({unreachable}) => unreachable ?? [])) {
      this.#unreachable.set(member, (this.#unreachable.get(member) ?? 0) + 1)
    }
    for (const one of planned) {
      if (one.kind !== 'update') continue
      const {place, mapper} = one.row
      for (const {path, value} of lostZeros(one.current, one.actions)) {
        const column = mapper.columnOf(path)
        this.#changes.unusual.note(column, {kind: 'zeros', column, value}, place)
      }
    }
    return planned
  }

  /** The customer groups and stores that a run would create; also reports them as an event. */
  missing(): {readonly createdReferences?: readonly string[]} {
    const names = [...this.target.missing.keys()]
    if (names.length === 0) return {}
    this.onEvent({type: 'missing', names})
    return {createdReferences: names}
  }

  /** Creates what rows that are about to be written name and the target lacks. */
  readonly createMissing = (plans: readonly Planned[], note: NoteReference): Promise<void> => {
    // Two batches are planned at the same time, and may name the same.
    this.#creating = this.#creating.then(() => this.#create(plans, note))
    return this.#creating
  }

  async #create(plans: readonly Planned[], note: NoteReference): Promise<void> {
    await this.target.findMissing(plans)
    const named = [...this.target.missing].filter(([name]) => !this.#created.has(name))
    if (named.length === 0) return
    this.onEvent({type: 'missing', names: named.map(([name]) => name)})
    for (const [name, one] of named) {
      await createNamed(this.#client, this.#firstContact, one, note)
      this.#created.add(name)
    }
  }

  get created(): {readonly createdReferences?: readonly string[]} {
    return this.#created.size === 0 ? {} : {createdReferences: [...this.#created]}
  }

  tellNotUpdatable(): void {
    tellNotes(this.#changes, undefined, this.onEvent)
    for (const [member, rows] of this.#unreachable) this.onEvent({type: 'unreachable', member, rows})
  }

  /**
   * Reads everything once before anything is written. Throws InvalidRows unless such rows may be left out, and
   * TooManyFailures if more rows are sure to be refused than may fail.
   */
  async validated({announces = false} = {}) {
    const {signal, skipInvalid, hashing, mapping = {}, onDuplicate} = this.#options
    checkDecided(mapping, {
      '--password-mode': this.plan.passwordMode !== 'column' || this.plan.mode === 'update',
      '--on-duplicate': onDuplicate !== undefined,
      '--skip-invalid': skipInvalid === true,
    })
    for (const source of await this.rows.joined()) {
      const read = readAs(source)
      if (read) this.onEvent({type: 'read-as', ...read})
    }
    const {pieces, notes} = await this.rows.check()
    const refused = {rows: 0, causes: new Causes()}
    const foreseen = async (rows: readonly CheckedRow[]) => {
      for (const [{place}, issue] of await this.target.refusals(rows.map((row) => ({row})))) {
        refused.rows += 1
        refused.causes.add(issue, place, 'conflict')
      }
    }
    const validation = await validate({
      pieces,
      plan: this.plan,
      planRows: this.planRows,
      onEvent: this.onEvent,
      ...defined({signal, foreseen: announces ? foreseen : undefined}),
    })
    if (typeof this.#options.onDuplicate === 'object') notes.takes(this.#options.onDuplicate.newest)
    tellNotes(notes, this.#options.mapping?.leftOut, this.onEvent)
    this.rows.areValid = validation.invalid === 0
    if (validation.invalid > 0 && skipInvalid !== true) throw new InvalidRows(validation, this.#sources.length)
    if (refused.rows > 0) this.onEvent({type: 'will-fail', rows: refused.rows, causes: refused.causes.members})
    failureLimit(this.#options.maxFailures, validation.rows).check(refused.rows)
    if (hashing && validation.passwords > 0) {
      const expectedMs = (validation.passwords * hashing.msPerHash) / Math.min(hashing.workers, this.concurrency)
      this.onEvent({type: 'hashing', passwords: validation.passwords, expectedMs})
    }
    const [duplicates, {joins}] = [notes.duplicates.all, notes]
    const coverage = {
      ...notes.filled.coverage(this.#options.mapping, notes.ignored.values()),
      ...(duplicates.length > 0 ? {duplicates} : {}),
      ...(joins.length > 0 ? {joins} : {}),
    }
    return {...validation, coverage}
  }
}
