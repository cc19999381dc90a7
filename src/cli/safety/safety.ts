import {type Repeats, type Settlement, settled, Unsettled} from '../../client/settle.js'
import {defined} from '../../domain/equal.js'
import type {Given, globalFlags, writeFlags} from '../command/flags.js'
import {reportOf} from '../output/error-report.js'
import {usage} from '../process/failure.js'
import {type Io, variable} from '../process/io.js'
import {oneLine} from '../render/sanitize.js'
import type {Asker} from '../secrets/ask.js'
import {auditFolder, confirmedFolder, type Folders} from '../target/settings.js'
import type {ResolvedTarget} from '../target/target.js'
import {type AuditEntry, appendAudit} from './audit.js'
import {Confirmations} from './confirmations.js'

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

export type SafetyFlags = Given<typeof globalFlags & typeof writeFlags>

interface SafetyOptions {
  readonly io: Io
  readonly ask: Asker
  readonly flags: SafetyFlags
  readonly command: string
  readonly resolved: ResolvedTarget
  readonly folders: Folders
  readonly say: (text: string) => void
  /** How a write without an answer is repeated, where that is safe. */
  readonly repeats: () => Repeats
}

const maxReason = 500

/** Guards writes: read-only and protected profiles, the reason, the audit log, and unknown outcomes. */
export class Safety {
  readonly #options: SafetyOptions
  #permitted = false

  constructor(options: SafetyOptions) {
    this.#options = options
  }

  /** Throws unless the profile permits this write; asks for confirmation at most once per run. */
  async permit(): Promise<void> {
    if (this.#permitted) return
    const {flags, resolved, say} = this.#options
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
      await this.#typed(name)
    }
    say(`target: ${label} (${target.projectKey})`)
    this.#permitted = true
  }

  /** Asks a person for the name of a protected profile, unless it was typed in this shell a few minutes ago. */
  async #typed(name: string): Promise<void> {
    const {io, ask, resolved, say, folders} = this.#options
    const {target} = resolved
    const shell = ask.interactive ? io.shell?.() : undefined
    const confirmations = shell === undefined ? undefined : new Confirmations(confirmedFolder(folders), shell)
    const place = target.kind === 'remote' ? target.apiUrl : target.dataDir
    const confirmed = {profile: name, place, projectKey: target.projectKey}
    const age = confirmations?.age(confirmed, io.clock())
    if (age !== undefined) {
      say(`Profile '${name}' was confirmed in this shell ${Math.max(1, Math.round(age / 60_000))} min ago.`)
      return
    }
    await ask.typed(name, `Profile '${name}' is protected. Type its name to go on:`, `--confirm-profile ${name}`)
    confirmations?.remember(confirmed, io.clock())
  }

  #reason(): string | undefined {
    const {flags, io} = this.#options
    const reason = flags.reason ?? variable(io.env, 'FRONTDESK_REASON')
    if (reason === undefined) return undefined
    if (reason.trim() === '') throw usage('--reason is empty.', 'Say why in a few words.')
    if (reason.length > maxReason) throw usage(`--reason is longer than ${maxReason} characters.`, 'Shorten it.')
    return oneLine(reason)
  }

  #entry({target, actions, versionBefore}: Intent): Omit<AuditEntry, 'phase'> {
    const {flags, io, resolved, command} = this.#options
    const ticket = flags.ticket ?? variable(io.env, 'FRONTDESK_TICKET')
    return defined({
      profile: resolved.label,
      project: resolved.target.projectKey,
      command,
      target,
      actions,
      reason: this.#reason(),
      ticket: ticket === undefined ? undefined : oneLine(ticket).slice(0, maxReason),
      versionBefore,
    })
  }

  #log(entry: AuditEntry): void {
    appendAudit(auditFolder(this.#options.folders), entry, this.#options.io.clock())
  }

  /** Runs a write: checks the permission, records it before and after, and settles it if the answer is lost. */
  async write<T>(write: Write<T>): Promise<T> {
    const {flags, command} = this.#options
    if (flags['dry-run']) throw new Error(`${command} tried to write in a dry run`)
    await this.permit()
    const entry = this.#entry(write)
    this.#log({...entry, phase: 'intent'})
    try {
      const result = await this.#settled(write)
      const ended = write.outcome?.(result) ?? 'done'
      this.#log({...entry, phase: 'result', result: ended, ...defined({versionAfter: versionOf(result)})})
      return result
    } catch (error) {
      const {code, correlationId} = reportOf(error)
      const ended = error instanceof Unsettled ? 'unknown' : code
      this.#log({...entry, phase: 'result', result: ended, ...defined({correlationId})})
      throw error
    }
  }

  async #settled<T>({request, settle}: Write<T>): Promise<T> {
    if (settle === 'by itself') return request()
    const {repeats, say} = this.#options
    const {result, isRead} = await settled(request, settle, repeats())
    if (isRead) say('No answer came that tells, but a reading shows that it happened.')
    return result
  }

  /** Records that a value was shown that is usually hidden. */
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
