import {Unreachable} from '../client/client.js'
import type {Asker} from './ask.js'
import {type AuditEntry, appendAudit} from './audit.js'
import {reportOf} from './error-report.js'
import {Failure, usage} from './failure.js'
import {type Io, variable} from './io.js'
import {oneLine} from './render/sanitize.js'
import type {ResolvedTarget} from './target.js'

/** What a command is about to write. */
export interface Intent<T = unknown> {
  /** Id or key of the resource, never an email. */
  readonly target?: string
  readonly actions?: readonly string[]
  readonly versionBefore?: number
  /** Looks whether a write without an answer had its effect: its result if so. */
  readonly reconcile?: () => Promise<unknown>
  /** What the audit says of a result, if that is not `done`. */
  readonly outcome?: (result: T) => string
}

export interface SafetyFlags {
  readonly 'dry-run'?: boolean
  readonly 'confirm-profile'?: string | undefined
  readonly reason?: string | undefined
  readonly ticket?: string | undefined
}

interface Surroundings {
  readonly io: Io
  readonly ask: Asker
  readonly flags: SafetyFlags
  readonly command: string
  readonly resolved: ResolvedTarget
  readonly auditFolder: string
  readonly say: (text: string) => void
}

const maxReason = 500

/** Guards writes: read-only and protected profiles, the reason, the audit log, and the outcome that nobody knows. */
export class Safety {
  readonly #around: Surroundings
  #permitted = false

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Throws unless this run may write; asks at most once. */
  async permit(): Promise<void> {
    if (this.#permitted) return
    const {flags, resolved, ask, say} = this.#around
    const {profile, label, target} = resolved
    const name = resolved.origins.get('profile')?.value ?? label
    if (profile.readOnly) throw usage(`Profile '${name}' is read-only.`, 'Choose another profile with --profile.')
    this.#reason()
    if (profile.requireReason && this.#reason() === undefined) {
      throw usage(`Profile '${name}' requires a reason for every write.`, 'Add --reason TEXT.')
    }
    const confirmed = flags['confirm-profile']
    if (confirmed !== undefined && confirmed !== name) {
      throw usage(
        `--confirm-profile says '${confirmed}', but the profile is '${name}'; nothing was sent.`,
        'Check the target.',
      )
    }
    if (profile.protected && confirmed === undefined) {
      await ask.typed(name, `Profile '${name}' is protected. Type its name to go on:`, `--confirm-profile ${name}`)
    }
    say(`target: ${label} (${target.projectKey})`)
    this.#permitted = true
  }

  #reason(): string | undefined {
    const {flags, io} = this.#around
    const reason = flags.reason ?? variable(io.env, 'FRONTDESK_REASON')
    if (reason === undefined) return undefined
    if (reason.trim() === '') throw usage('--reason is empty.', 'Say why in a few words.')
    if (reason.length > maxReason) throw usage(`--reason is longer than ${maxReason} characters.`, 'Shorten it.')
    return oneLine(reason)
  }

  #entry(intent: Omit<Intent, 'outcome'>): Omit<AuditEntry, 'phase'> {
    const {flags, io, resolved, command} = this.#around
    const reason = this.#reason()
    const ticket = flags.ticket ?? variable(io.env, 'FRONTDESK_TICKET')
    return {
      profile: resolved.label,
      project: resolved.target.projectKey,
      command,
      ...(intent.target === undefined ? {} : {target: intent.target}),
      ...(intent.actions === undefined ? {} : {actions: intent.actions}),
      ...(reason === undefined ? {} : {reason}),
      ...(ticket === undefined ? {} : {ticket: oneLine(ticket).slice(0, maxReason)}),
      ...(intent.versionBefore === undefined ? {} : {versionBefore: intent.versionBefore}),
    }
  }

  #log(entry: AuditEntry): void {
    appendAudit(this.#around.auditFolder, entry, this.#around.io.clock())
  }

  /** Does a write: permitted, recorded before and after. */
  async write<T>(intent: Intent<T>, effect: () => Promise<T>): Promise<T> {
    if (this.#around.flags['dry-run']) throw new Error(`${this.#around.command} tried to write in a dry run`)
    await this.permit()
    const entry = this.#entry(intent)
    this.#log({...entry, phase: 'intent'})
    try {
      const result = await this.#reconciled(intent, effect)
      const version = versionOf(result)
      const ended = intent.outcome?.(result) ?? 'done'
      this.#log({...entry, phase: 'result', result: ended, ...(version === undefined ? {} : {versionAfter: version})})
      return result
    } catch (error) {
      const {code, correlationId} = reportOf(error)
      this.#log({...entry, phase: 'result', result: code, ...(correlationId === undefined ? {} : {correlationId})})
      throw error
    }
  }

  /** A write without an answer may have happened: look, and if that does not help, say so with a code of its own. */
  async #reconciled<T>({reconcile}: Intent<T>, effect: () => Promise<T>): Promise<T> {
    try {
      return await effect()
    } catch (error) {
      if (!(error instanceof Unreachable) || !error.sent) throw error
      const found = await reconcile?.().catch(() => undefined)
      if (found !== undefined) return found as T
      throw new Failure(
        'unknownOutcome',
        'UnknownOutcome',
        `The request was sent, but no answer came: ${error.message}`,
        {
          hints: ['It may have had its effect: look before you repeat it.'],
          correlationId: error.correlationId,
          cause: error,
        },
      )
    }
  }

  /** Records that something was shown that is usually hidden. */
  reveal(intent: Intent): void {
    this.#log({...this.#entry(intent), phase: 'reveal'})
  }
}

function versionOf(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const holder =
    'customer' in result && typeof result.customer === 'object' && result.customer ? result.customer : result
  return 'version' in holder && typeof holder.version === 'number' ? holder.version : undefined
}
