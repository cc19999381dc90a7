import {Command, type Interfaces} from '@oclif/core'
import type {Client} from '../../client/client.js'
import {type Repeats, type Settlement, settled} from '../../client/settle.js'
import type {ConnectOptions, Credentials} from '../../client/target.js'
import {defined} from '../../domain/equal.js'
import {withoutTokens} from '../../domain/redact.js'
import {failingOf, reportOf, showReport} from '../output/error-report.js'
import {Output, PipeClosed} from '../output/output.js'
import {type Ending, exitCodes} from '../process/exit-codes.js'
import {withSignal} from '../process/interruption.js'
import {type Io, processIo} from '../process/io.js'
import {parsedBy, plainUsage} from '../process/usage-errors.js'
import {owesJson} from '../process/wants-json.js'
import {redactionFor, type Shows} from '../redaction/for-command.js'
import {observed} from '../redaction/observed.js'
import {noRedaction, type Redactor} from '../redaction/redactor.js'
import {debugText, oneLine} from '../render/sanitize.js'
import {wrapped} from '../render/wrap.js'
import {Safety, type SafetyFlags, type Write} from '../safety/safety.js'
import {Asker, type Asking, type Prompts} from '../secrets/ask.js'
import {refuseSecretFlags} from '../secrets/secret-flags.js'
import {secretFrom} from '../secrets/secret-inputs.js'
import {commandLineFor} from '../target/command-line.js'
import {Connection} from '../target/connection.js'
import {type Profiles, profileNamed, readProfiles} from '../target/profiles.js'
import {type Chosen, chosenProfile, type Folders, foldersOf, withoutOverrides} from '../target/settings.js'
import {type ResolvedTarget, resolveTarget} from '../target/target.js'
import {globalFlags} from './flags.js'
import type {Calls} from './operations.js'
import type {Within} from './within.js'

export type FlagsOf<T extends typeof Command> = Interfaces.InferredFlags<(typeof BaseCommand)['baseFlags'] & T['flags']>
export type ArgsOf<T extends typeof Command> = Interfaces.InferredArgs<T['args']>

/**
 * The base of every command. A command reads `flags` and `args`, calls the API and shows the result; this class resolves
 * the target, opens the client, guards writes, prints results and turns every error into its exit code. All of it is
 * lazy: a command pays only for what it uses.
 */
export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override baseFlags = globalFlags
  /** The operations that it calls; `token scopes` and `check scopes` read them. */
  static operations: Calls = []
  /** Whether `--redact` masks what it shows. Masked unless a command declares that it shows the installation only. */
  static shows: Shows = 'people'
  /** Set by the caller; tests inject prompts and observe every operation that is called. */
  io: Io = processIo
  prompts?: Prompts
  onCall?: ConnectOptions['onCall']
  /** Set by a command that runs this one inside itself. */
  within?: Within

  protected reportedProfile: string | undefined
  protected flags!: FlagsOf<T>
  protected args!: ArgsOf<T>
  #exitCode: number = exitCodes.done.code
  #profiles: Profiles | undefined
  #chosen: Chosen | undefined
  #resolved: ResolvedTarget | undefined
  #connection: Connection | undefined
  #output: Output | undefined
  #safety: Safety | undefined
  protected redaction: Redactor = noRedaction

  /** Runs the command and returns its exit code. Never throws. */
  async begin(): Promise<number> {
    await this._run()
    return this.#exitCode
  }

  override async init(): Promise<void> {
    const {args, baseFlags, flags, strict} = this.ctor
    const known = {...baseFlags, ...flags}
    refuseSecretFlags(this.argv, new Set(Object.keys(known)))
    const parsed = await this.parse({args, baseFlags, flags, strict}).catch((error: unknown) => {
      throw plainUsage(error, parsedBy(this.id, this.ctor, this.config))
    })
    this.flags = parsed.flags as FlagsOf<T>
    this.args = parsed.args as ArgsOf<T>
    await this.#redact()
  }

  /** Prints the result of the run. */
  protected get output(): Output {
    // Inside another command the result is for people, whatever form the profile prefers.
    const profile = this.within ? undefined : this.chosen.profile
    this.#output ??= new Output(this.io, this.flags, profile, this.redaction, (text) => this.say(text))
    return this.#output
  }

  protected get folders(): Folders {
    return foldersOf(this.config, this.io.env)
  }

  protected get profiles(): Profiles {
    this.#profiles ??= readProfiles(this.folders.config)
    return this.#profiles
  }

  protected get chosen(): Chosen {
    this.#chosen ??= chosenProfile(this.profiles, this.flags, this.io.env)
    return this.#chosen
  }

  protected get resolved(): ResolvedTarget {
    const {flags, io, chosen, folders} = this
    this.#resolved ??= resolveTarget({flags, env: io.env, chosen, folders})
    return this.#resolved
  }

  protected get ask(): Asker {
    const options = {noInput: this.flags['no-input'], yes: this.flags.yes, shown: this.redaction.text}
    const {prompts} = this
    return prompts ? new Asker(this.io, options, () => Promise.resolve(prompts)) : new Asker(this.io, options)
  }

  protected get connection(): Connection {
    this.#connection ??=
      this.within?.connection ??
      new Connection({
        io: this.io,
        flags: this.flags,
        chosen: this.chosen,
        folders: this.folders,
        resolved: this.resolved,
        version: this.config.version,
        say: (text) => this.stderr(text),
        redaction: this.redaction,
        onCall: this.onCall,
      })
    return this.#connection
  }

  protected get safety(): Safety {
    this.#safety ??= new Safety({
      io: this.io,
      ask: this.ask,
      flags: this.flags as SafetyFlags,
      command: (this.id ?? '').replaceAll(':', ' '),
      resolved: this.resolved,
      folders: this.folders,
      say: (text) => this.say(text),
      repeats: () => this.repeats,
    })
    return this.#safety
  }

  protected get dryRun(): boolean {
    return this.flags['dry-run']
  }

  /** The client of the target, opened at its first use. */
  protected async client(): Promise<Client> {
    return observed(await this.connection.client(), this.redaction)
  }

  /** A client of a named profile, unaffected by flags and variables. The caller closes it. */
  protected async clientFor(name: string, credentials?: Credentials): Promise<Client> {
    const chosen = {name: {value: name, origin: 'argument'}, profile: profileNamed(this.profiles, name)}
    const {folders} = this
    const {target} = resolveTarget({flags: {}, env: withoutOverrides(this.io.env), chosen, folders})
    const {connect} = await import('../../client/connect.js')
    const client = await connect(credentials ? {...target, credentials} : target, this.connection.options())
    return observed(client, this.redaction)
  }

  /** Runs a write: permitted, audited before and after, settled if its answer is lost, never in a dry run. */
  protected write<R>(write: Write<R>): Promise<R> {
    return this.safety.write(write)
  }

  /** How often a write without an answer is retried. */
  protected get repeats(): Repeats {
    return {retries: this.connection.options().retries ?? 0, ...defined({wait: this.io.wait})}
  }

  /** The result of a request that changes nothing worth recording; settled as a write is. */
  protected async settled<R>(request: () => Promise<R>, settlement: Settlement<R>): Promise<R> {
    return (await settled(request, settlement, this.repeats)).result
  }

  /** The confirmation of an act that cannot be undone. */
  protected get asking(): Asking {
    return {ask: this.ask, yes: this.flags.yes, masked: (document) => this.output.masked(document)}
  }

  /** A command line for the same target, to be pasted into a shell; `store` replaces the store of the flags. */
  protected commandLine(words: readonly string[], store?: string): string {
    return commandLineFor(words, this.flags, this.chosen, store)
  }

  /** A secret by its flags, `--NAME-stdin` and `--NAME-file`, or by a hidden prompt; a new one is typed twice. */
  protected secret(
    name: 'password' | 'new-password' | 'current-password',
    question: string,
    {twice = false, otherFlags = ''}: {readonly twice?: boolean; readonly otherFlags?: string} = {},
  ): Promise<string> {
    const given = this.flags as Readonly<Record<string, unknown>>
    return secretFrom(
      {stdin: given[`${name}-stdin`] === true, file: given[`${name}-file`] as string | undefined},
      {io: this.io, ask: this.ask, question, flag: `--${name}-stdin or --${name}-file${otherFlags}`, twice},
    )
  }

  /** Sets the exit code of a run that succeeds but whose answer is negative. */
  protected endWith(ending: Ending): void {
    this.#exitCode = exitCodes[ending].code
  }

  protected endAs(code: number): void {
    this.#exitCode = code
  }

  /** A note to the person at the terminal; `--quiet` drops it. */
  protected say(text: string): void {
    if (!this.flags.quiet) this.stderr(text)
  }

  protected stderr(text: string): void {
    this.io.stderr.write(`${wrapped(oneLine(this.redaction.note(text)), this.io.stderr)}\n`)
  }

  override async catch(error: Error): Promise<void> {
    if (error instanceof PipeClosed) return
    if (!this.redaction.on) await this.#redact()
    const report = this.redaction.error(withSignal(reportOf(error, failingOf(this.id, this.ctor))))
    this.#exitCode = report.exitCode
    if (this.io.env['FRONTDESK_DEBUG'])
      this.io.stderr.write(`${this.redaction.text(withoutTokens(debugText(error)))}\n`)
    const profile = this.reportedProfile ?? this.#resolved?.label ?? this.#chosen?.name.value
    if (this.within) this.within.failed(report)
    else showReport(report, this.io, {json: owesJson(this.argv, this.io.env, this.#output), profile})
  }

  async #redact(): Promise<void> {
    const {shows} = this.ctor as unknown as typeof BaseCommand
    const {argv, flags, io} = this
    this.redaction = await redactionFor(shows, argv, io.env, flags, () => this.profiles)
  }

  override async finally(): Promise<void> {
    try {
      if (!this.within?.connection) await this.#connection?.close()
    } catch (error) {
      if (this.#exitCode === exitCodes.done.code) await this.catch(error as Error)
    }
  }
}
