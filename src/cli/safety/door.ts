import {placeOf} from '../../client/place.js'
import {OutcomeUnknown, type Repeats, type Settlement, settled} from '../../client/settle.js'
import {defined} from '../../domain/equal.js'
import {reportOf} from '../output/error-report.js'
import {valueAt} from '../output/fields.js'
import {usage} from '../process/failure.js'
import {variable} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {auditFolder} from '../target/settings.js'
import {targetText} from '../target/subject.js'
import {type AuditEntry, appendAudit} from './audit.js'

/** What a command is about to write, for the audit log. */
export interface Intent {
  /** Id or key of the resource, never an email. */
  readonly target?: string | undefined
  readonly actions?: readonly string[]
  readonly versionBefore?: number
}

/** A write: its intent, its request, and the settlement that decides whether it took effect if the answer is lost. */
export interface Write<T> extends Intent {
  readonly request: () => Promise<T>
  /** `by itself`: the effect is in this process, or the engine behind the request settles each of its own. */
  readonly settle: Settlement<T> | 'by itself'
  /** What the audit says of a result, if that is not `done`. */
  readonly outcome?: (result: T) => string
}

/** Sends a write to the target: audited before and after, and settled if its answer is lost. */
export type Writer = <R>(write: Write<R>) => Promise<R>

/** What a dry run shows: a document for programs, and lines for people. */
export type Plan = readonly [document: object, lines: string]

interface Foreseen {
  readonly plan: () => Plan | Promise<Plan>
  /** Asks a person; the profiles of the target have permitted it by then. */
  readonly confirm?: () => Promise<void>
}

interface Act<T> extends Foreseen {
  readonly at: 'target' | 'machine'
  /** Does it. `write` is the only way to send a write to the target. */
  readonly act: (write: Writer) => Promise<T>
}

/** Whatever a command changes, at the target or on this machine, is one write or an act (decision 49). */
export type Effect<T> = Act<T> | (Foreseen & Write<T>)

interface DoorOptions {
  readonly show: (plan: Plan) => Promise<void>
  /** How a write without an answer is repeated, where that is safe. */
  readonly repeats: () => Repeats
  /** Called when a write happened and the audit log cannot record its result. */
  readonly onUnrecorded: () => void
}

const maxReason = 500
/**
 * The door that every effect passes: a dry run, the rules of the profiles of the target, the reason, the audit log, and
 * unknown outcomes.
 */
export class Door {
  readonly #run: Run
  readonly #options: DoorOptions
  /** Whether an effect was permitted and begun. */
  isOpen = false
  #permitted = false

  constructor(run: Run, options: DoorOptions) {
    this.#run = run
    this.#options = options
  }

  /** Does what the effect says. In a dry run it shows the plan, and nothing is done and returned. */
  async effect<T>(effect: Effect<T>): Promise<T | undefined> {
    const isWrite = 'request' in effect
    const isOfTarget = isWrite || effect.at === 'target'
    // A dry run, too, has a target.
    if (isOfTarget) void this.#run.resolved
    if (this.#run.isDry) {
      await this.#options.show(await effect.plan())
      return undefined
    }
    if (isOfTarget) await this.#permit()
    await effect.confirm?.()
    this.isOpen = true
    return isWrite ? this.#write(effect) : effect.act((write) => this.#write(write))
  }

  /** Throws unless the profiles of the target permit this write; asks for confirmation at most once per run. */
  async #permit(): Promise<void> {
    if (this.#permitted) return
    const {flags, resolved} = this.#run
    const {label} = resolved
    const rules = await this.#run.guards()
    const readOnly = rules.find(({profile}) => profile.readOnly)
    if (readOnly) throw usage(`Profile '${readOnly.name}' is read-only.`, 'Choose another target with --profile.')
    const demanding = rules.find(({profile}) => profile.requireReason)
    if (this.#reason() === undefined && demanding) {
      throw usage(`Profile '${demanding.name}' requires a reason for every write.`, 'Add --reason TEXT.')
    }
    const confirmed = flags['confirm-profile']
    const shields = rules.filter(({profile}) => profile.protected).map(({name}) => name)
    const own = resolved.origins.get('profile')?.value ?? label
    if (confirmed !== undefined && ![own, ...shields].includes(confirmed)) {
      throw usage(
        `--confirm-profile says '${confirmed}', but the profile is '${shields[0] ?? own}'; nothing was sent.`,
        'Check the target.',
      )
    }
    const [shield] = shields
    if (shield !== undefined && (confirmed === undefined || !shields.includes(confirmed))) {
      const question = `Profile '${shield}' is protected. Type its name to go on:`
      await this.#run.ask.typed(shield, question, `--confirm-profile ${shield}`)
    }
    this.#run.say(`target: ${targetText(this.#run.subject)}`)
    this.#permitted = true
  }

  #reason(): string | undefined {
    const {flags, io} = this.#run
    const reason = flags.reason ?? variable(io.env, 'FRONTDESK_REASON')
    if (reason === undefined) return undefined
    if (reason.trim() === '') throw usage('--reason is empty.', 'Say why in a few words.')
    if (reason.length > maxReason) throw usage(`--reason is longer than ${maxReason} characters.`, 'Shorten it.')
    return oneLine(reason)
  }

  #entry({target, actions, versionBefore}: Intent): Omit<AuditEntry, 'phase'> {
    const {flags, io, resolved, command, parent} = this.#run
    const ticket = flags.ticket ?? variable(io.env, 'FRONTDESK_TICKET')
    return defined({
      profile: resolved.label,
      project: resolved.target.projectKey,
      place: placeOf(resolved.target),
      command,
      target,
      actions,
      reason: this.#reason(),
      ticket: ticket === undefined ? undefined : oneLine(ticket).slice(0, maxReason),
      checked: parent?.checked,
      versionBefore,
    })
  }

  #log(entry: AuditEntry): void {
    appendAudit(auditFolder(this.#run.folders), entry, this.#run.io.clock())
  }

  async #write<T>(write: Write<T>): Promise<T> {
    const entry = this.#entry(write)
    this.#log({...entry, phase: 'intent'})
    this.#run.parent?.onIntent?.()
    const record = (result: string, more: object) => this.#record({...entry, phase: 'result', result, ...more})
    let result: T
    try {
      result = await this.#settled(write)
    } catch (error) {
      const {code, correlationId} = reportOf(error)
      record(error instanceof OutcomeUnknown ? 'unknown' : code, defined({correlationId}))
      throw error
    }
    record(write.outcome?.(result) ?? 'done', defined({versionAfter: versionOf(result)}))
    return result
  }

  /** Records a result. A log that cannot be written hides neither the result nor the error of the write. */
  #record(entry: AuditEntry): void {
    try {
      this.#log(entry)
    } catch (error) {
      const what = entry.result === 'done' ? 'It happened' : `It ended as ${entry.result}`
      this.#run.stderr(`${what}, and the audit log lacks its result. ${reportOf(error).message}`)
      this.#options.onUnrecorded()
    }
  }

  async #settled<T>({request, settle}: Write<T>): Promise<T> {
    if (settle === 'by itself') return request()
    const {result, isRead} = await settled(request, settle, this.#options.repeats())
    if (isRead) this.#run.say('The answer was lost; reading the resource shows that the change was saved.')
    return result
  }
}

function versionOf(result: unknown): number | undefined {
  const version = valueAt(result, 'customer.version') ?? valueAt(result, 'version')
  return typeof version === 'number' ? version : undefined
}
