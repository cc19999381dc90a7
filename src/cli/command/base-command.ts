import {Command, type Interfaces} from '@oclif/core'
import type {Client} from '../../client/client.js'
import type {Repeats} from '../../client/settle.js'
import type {ConnectOptions} from '../../client/target.js'
import {defined} from '../../domain/equal.js'
import {withoutTokens} from '../../domain/redact.js'
import {Asker, type Asking, type Prompts} from '../input/ask.js'
import {globalFlags} from '../input/flags.js'
import {refuseSecretFlags} from '../input/secret-arguments.js'
import {printsJson, reportOf, showReport} from '../output/error-report.js'
import {wrapped} from '../output/wrap.js'
import {type Ending, exitCodes} from '../process/exit-codes.js'
import {interruptedCode} from '../process/interruption.js'
import {type Io, PipeClosed, processIo} from '../process/io.js'
import {debugText, oneLine} from '../process/sanitize.js'
import {plainUsage} from '../process/usage-errors.js'
import {Connection, type Parent} from '../run/connection.js'
import {existingOut, OutFiles} from '../run/out-files.js'
import {Output} from '../run/output.js'
import {noRedaction, type Redactor, redactionFor, type Shows, withRedaction} from '../run/redaction.js'
import type {Run} from '../run/run.js'
import {Door, type Effect} from '../safety/door.js'
import {commandLineFor, inFolder} from '../target/command-line.js'
import {type Folders, foldersOf, ignoredFolders} from '../target/folders.js'
import type {Guard} from '../target/guards.js'
import {type Profiles, readProfiles} from '../target/profiles.js'
import {type Chosen, checkVariables, chosenProfile, ignoredNote} from '../target/settings.js'
import {checkNamed, type Subject, subjectOf} from '../target/subject.js'
import {credentialVariables, type ResolvedTarget, resolveTarget} from '../target/target.js'
import {asksTarget, refuseIdle, type Use} from './idle-flags.js'
import type {Calls} from './operations.js'
import {withPractice} from './practice.js'

export type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<(typeof BaseCommand)['baseFlags'] & T['flags']>
export type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>

/**
 * The base of every command, which resolves the target, opens the client, guards writes, prints results and turns every
 * error into its exit code. All of it is lazy: a command pays only for what it uses.
 */
export abstract class BaseCommand<T extends typeof Command> extends Command implements Run {
  static override baseFlags = globalFlags
  /** The operations that it calls; `token scopes` and `check scopes` read them. */
  static operations: Calls = []
  /** What it does, where its operations do not say it. */
  static uses?: readonly Use[]
  /** Whether `--redact` masks what it shows. Masked unless a command declares that it shows the installation only. */
  static shows: Shows = 'people'
  /** Set by the caller; tests inject prompts and observe every operation that is called. */
  io: Io = processIo
  prompts?: Prompts
  onCall?: ConnectOptions['onCall']
  /** Set by a command that runs this one inside itself. */
  parent?: Parent
  protected reportedProfile: string | undefined
  flags!: FlagsOf<T>
  protected args!: ArgsOf<T>
  /** The names of the flags that were typed, without those that have a value by default. */
  protected given: ReadonlySet<string> = new Set()
  #exitCode: number = exitCodes.done.code
  #profiles: Profiles | undefined
  #chosen: Chosen | undefined
  #resolved: ResolvedTarget | undefined
  #connection: Connection | undefined
  #output: Output | undefined
  #door: Door | undefined
  #isUnrecorded = false
  redaction: Redactor = noRedaction
  readonly files: OutFiles = new OutFiles(this)
  /** Whether what it changes concerns all projects of the target. */
  protected everyProject = false
  /** Whether it asks its target for a verdict, a file or a write. */
  protected get needsTarget(): boolean {
    return !this.parent && asksTarget(this.ctor as unknown as typeof BaseCommand)
  }
  /** Whether its result is a report, which `--out` writes anew. */
  protected get reports(): boolean {
    return false
  }

  /** Runs the command and returns its exit code. Never throws. */
  async begin(): Promise<number> {
    await this._run()
    return this.#exitCode
  }

  override async init(): Promise<void> {
    const {args, baseFlags, flags, strict} = this.ctor
    const declared = {...baseFlags, ...flags}
    refuseSecretFlags(this.argv, new Set(Object.keys(declared)))
    const parsed = await this.parse({args, baseFlags, flags, strict}).catch((error: unknown) => {
      throw plainUsage(error, {args, baseFlags, flags, command: this.command, commandIDs: this.config.commandIDs})
    })
    this.flags = parsed.flags as FlagsOf<T>
    this.args = parsed.args as ArgsOf<T>
    this.given = new Set(parsed.raw.flatMap((word) => (word.type === 'flag' ? [word.flag] : [])))
    await this.#redact()
    checkVariables(this.io.env)
    this.hint(ignoredFolders(this.io.env))
    const {given, reports, redaction} = this
    const use = {given, form: () => this.output.form, reports, isRedacted: redaction.on}
    refuseIdle(this.command, this.ctor as unknown as typeof BaseCommand, use)
    if (this.needsTarget) checkNamed(this)
    this.files.reserve({declared, flags: this.flags, existingOut: existingOut(this.flags, reports), typed: parsed.raw})
  }

  get command(): string {
    return (this.id ?? '').replaceAll(':', ' ')
  }
  get output(): Output {
    // Inside another command the result is for people, whatever form the profile prefers.
    this.#output ??= new Output(this, this.parent ? undefined : this.chosen.profile.output)
    return this.#output
  }
  get folders(): Folders {
    return foldersOf(this.io.env)
  }
  protected get profiles(): Profiles {
    this.#profiles ??= readProfiles(this.folders.config)
    return this.#profiles
  }
  get chosen(): Chosen {
    this.#chosen ??= chosenProfile(this.profiles, this.flags, this.io.env)
    return this.#chosen
  }

  get resolved(): ResolvedTarget {
    if (this.#resolved) return this.#resolved
    const {flags, io, chosen, folders} = this
    this.#resolved = resolveTarget({flags, env: io.env, chosen, folders})
    this.hint(ignoredNote(chosen))
    return this.#resolved
  }
  get subject(): Subject {
    return subjectOf(this.resolved)
  }
  get ask(): Asker {
    const options = {noInput: this.flags['no-input'], yes: this.flags.yes, shown: this.redaction.text}
    return new Asker(this.io, options, this.prompts)
  }

  protected get connection(): Connection {
    this.#connection ??=
      this.parent?.connection ??
      new Connection(this, {
        version: this.config.version,
        onCall: this.onCall,
        waits: 'timeout' in {...this.ctor.flags},
        isBounded: this.reports,
      })
    return this.#connection
  }

  async guards(): Promise<readonly Guard[]> {
    const {guardsOf} = await import('../target/guards.js')
    return guardsOf(this.profiles, this.folders, this.resolved, this.everyProject)
  }

  get hasActed(): boolean {
    return this.#door?.isOpen === true
  }
  get shows(): Shows {
    return (this.ctor as unknown as typeof BaseCommand).shows
  }
  get isDry(): boolean {
    return this.flags['dry-run']
  }
  /** Does what changes the target or this machine. Returns nothing in a dry run, which shows the plan instead. */
  protected effect<R>(effect: Effect<R>): Promise<R | undefined> {
    this.#door ??= new Door(this, {
      show: ([document, lines]) => this.output.answer({dryRun: true, ...document}, lines),
      repeats: () => this.repeats,
      onUnrecorded: () => this.endUnwritten(),
    })
    return this.#door.effect(effect)
  }

  async client(): Promise<Client> {
    return withRedaction(await this.connection.client(), this.redaction)
  }
  async asClient<R>(work: (client: Client) => Promise<R>): Promise<R> {
    return work(await this.client())
  }

  protected get repeats(): Repeats {
    return {retries: this.connection.options().retries ?? 0, ...defined({wait: this.io.wait})}
  }
  protected get asking(): Asking {
    return {ask: this.ask, yes: this.flags.yes, masked: (document) => this.output.masked(document)}
  }

  commandLine(words: readonly string[], store?: string): string {
    return commandLineFor(words, this.flags, this.resolved, store)
  }

  /** Sets the exit code of a run that succeeds but whose answer is negative. */
  protected endWith(ending: Ending): void {
    this.endAs(exitCodes[ending].code)
  }

  protected endAs(code: number): void {
    if (!this.#isUnrecorded) this.#exitCode = code
  }

  endUnwritten(): void {
    this.endWith('localState')
    this.#isUnrecorded = true
  }

  say(text: string): void {
    if (!this.flags.quiet) this.stderr(text)
  }

  hint = (text: string | undefined): void => (this.parent || text === undefined ? undefined : this.say(text))

  stderr(text: string): void {
    this.io.stderr.write(`${wrapped(oneLine(this.redaction.note(text)), this.io.stderr)}\n`)
  }

  override async catch(error: Error): Promise<void> {
    if (error instanceof PipeClosed) return this.endWith('pipeClosed')
    if (!this.redaction.on) await this.#redact()
    const flags = new Set(Object.keys({...this.ctor.baseFlags, ...this.ctor.flags}))
    const told = reportOf(error, {command: this.command, flags, variables: credentialVariables(this.#resolved)})
    const found = this.redaction.error({...told, exitCode: interruptedCode() ?? told.exitCode})
    const {operations} = this.ctor as unknown as typeof BaseCommand
    const {hints, ...rest} = await withPractice(found, operations, this.#resolved?.target, this.#connection)
    const report = {...rest, hints: hints.map((hint) => inFolder(hint, this.flags))}
    this.#exitCode = report.exitCode
    if (this.io.env['FRONTDESK_DEBUG'])
      this.io.stderr.write(`${this.redaction.text(withoutTokens(debugText(error)))}\n`)
    const profile = this.reportedProfile ?? this.#resolved?.label ?? this.#chosen?.name.value
    if (this.parent) this.parent.failed(report)
    else showReport(report, this.io, {json: printsJson(this.argv, this.io.env, this.#output), profile})
  }

  async #redact(): Promise<void> {
    this.redaction = await redactionFor(this.shows, this.argv, this.io.env, this.flags, () => this.profiles)
  }

  override async finally(): Promise<void> {
    try {
      if (!this.parent?.connection) await this.#connection?.close()
    } catch (error) {
      if (this.#exitCode === exitCodes.done.code) await this.catch(error as Error)
    } finally {
      this.files.release()
    }
  }
}
