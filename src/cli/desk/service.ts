import {Writable} from 'node:stream'
import type {Config} from '@oclif/core'
import type {Client} from '../../client/client.js'
import {placeOf} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import type {BaseCommand} from '../command/base-command.js'
import {customerOf} from '../customers/calls.js'
import {cardOf, cardSections} from '../customers/card.js'
import {emailWarningOf} from '../customers/recent-messages.js'
import type {Prompts} from '../input/ask.js'
import {isGone} from '../input/is-found.js'
import {type ErrorReport, reportOf} from '../output/error-report.js'
import {personOf} from '../output/views.js'
import type {Io} from '../process/io.js'
import type {Parent} from '../run/connection.js'
import {beside, type Run} from '../run/run.js'
import {type AuditEntry, appendAudit} from '../safety/audit.js'
import type {CallerField} from '../target/caller-fields.js'
import {auditFolder} from '../target/settings.js'
import type {Act, Answers, Offers, Opened, Option} from './act.js'
import {valuesOf, withHidden} from './caller-check.js'
import {Finder} from './finding.js'
import type {IdleConnection} from './idle-connection.js'
import type {Choices} from './prompter.js'

/** What the desk needs of the service. */
export type Service = ReturnType<typeof serviceOf>

/** What is noted once a call and goes with every write of it. */
export interface Call {
  readonly ticket?: string
  readonly reason?: string
  readonly profile?: string
  /** Names of the fields that were checked, with blanks between them; absent before the check. */
  readonly checked?: string
}

interface ActWords {
  readonly opened: Opened
  readonly answers: Answers
}

/** The fields of which a caller said what the account has, and something else; and whether that was enough. */
export interface CallerCheck {
  readonly checked: readonly string[]
  readonly missed: readonly string[]
  readonly isPassed: boolean
}

export interface Ran {
  readonly act: Act
  readonly code: number
  readonly report?: ErrorReport
  /** What it printed, redacted. */
  readonly text: string
  readonly command: string
}

interface ServiceOptions {
  readonly run: Run
  readonly config: Config
  readonly io: Io
  readonly prompts: Prompts
  readonly connection: IdleConnection
  /** What a caller is asked, and lists and cards hide. */
  readonly callerFields: readonly CallerField[]
  /** Flags of the session that every command of it gets: target, redaction, dry run. */
  readonly flags: readonly string[]
  readonly columns: () => number
  readonly onUse: () => void
}

/** The service of a session. Only the search throws: what else fails is returned as a report. */
export function serviceOf(options: ServiceOptions) {
  const {run, connection, callerFields, columns, onUse} = options
  const {io, redaction} = run
  const finder = new Finder()
  const log: (Readonly<Record<'customer' | 'act' | 'command', string>> & {readonly exitCode: number})[] = []
  const failed = (error: unknown): ErrorReport => redaction.error(reportOf(error))
  const use = <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    onUse()
    return connection.use(work)
  }
  return {
    /** The acts that were run. */
    log,
    find: (text: string, signal: AbortSignal): Promise<Choices> => {
      const style = {
        // The cursor of the list, or a number, stands before.
        columns: columns() - 4,
        now: io.clock(),
        masked: (document: unknown) => withHidden(redaction.document(document), callerFields),
      }
      return use((client) => finder.find(client, text, signal, style)).catch((error: unknown) =>
        Promise.reject(new Error(failed(error).message)),
      )
    },
    /** Reads a customer; undefined if there is none. The card hides what a caller is asked until that was checked. */
    open: (id: string, isChecked: boolean): Promise<Opened | ErrorReport | undefined> => {
      finder.beginCall()
      return use((client) => opened(client, id, isChecked ? [] : callerFields, options)).catch((error: unknown) =>
        isGone(error) ? undefined : failed(error),
      )
    },
    /** What there is to choose from. */
    offers: (offers: Offers, {customer}: Opened): Promise<readonly Option[] | ErrorReport> =>
      use((client) => offers(client, customer, io.clock())).catch(failed),
    /** Notes in the audit log what a caller was asked. Nothing in a dry run. */
    noteCheck: (opened: Opened, {isPassed, ...fields}: CallerCheck, call: Call): ErrorReport | undefined =>
      logged(run, opened, call, {
        ...{phase: 'result', actions: ['checkCaller'], result: isPassed ? 'done' : 'refused'},
        ...fields,
      }),
    noteCall: (opened: Opened, call: Call): ErrorReport | undefined =>
      logged(run, opened, call, {phase: 'noted', actions: ['noteCall']}),
    /** Runs the command of an act. `onIntent`: the audit log has the act, with what is noted of the call. */
    run: async (act: Act, about: ActWords, call: Call, onIntent?: () => void): Promise<Ran> => {
      onUse()
      const ran = await connection.hold(() => runAct(act, about, {...call, onIntent}, options))
      log.push({customer: about.opened.customer.id, act: act.label, command: ran.command, exitCode: ran.code})
      return ran
    },
  }
}

async function opened(
  client: Client,
  id: string,
  callerFields: readonly CallerField[],
  {run}: ServiceOptions,
): Promise<Opened> {
  const expand = ['customerGroup', 'customerGroupAssignments[*].customerGroup']
  const customer = await customerOf(client, {by: 'id', value: id}, {expand})
  const card = await cardOf(run, client, customer)
  const {redaction} = run
  const now = run.io.clock()
  const shown = withHidden(redaction.document(customer), callerFields, '(ask)')
  const told = {...(redaction.document(card) as object), customer: shown, next: []}
  return {
    customer,
    name: personOf(shown),
    ref: customer.key === undefined ? id : `key=${customer.key}`,
    card: cardSections(told, now, true),
    details: cardSections(told, now),
    ...defined({
      emailWarning: emailWarningOf(card, now),
      hidesFields: callerFields.some((field) => valuesOf(field, customer).length > 0) || undefined,
    }),
  }
}

/** Notes something of a call in the audit log at once, since a terminal goes away (decision 74). Returns why it could not. */
function logged(
  run: Run,
  {customer}: Opened,
  {ticket, reason}: Call,
  what: Pick<AuditEntry, 'phase'> & Partial<AuditEntry>,
): ErrorReport | undefined {
  const {label, target} = run.resolved
  const about = {profile: label, project: target.projectKey, place: placeOf(target), command: 'desk'}
  const entry = {...about, ...defined({target: customer.id || undefined, ticket, reason}), ...what}
  let report: ErrorReport | undefined
  void beside(run, 'note what a call was about', () => {
    try {
      appendAudit(auditFolder(run.folders), entry, run.io.clock())
    } catch (error) {
      report = run.redaction.error(reportOf(error))
    }
  })
  return report
}

/** A terminal that collects what a command prints, on either stream, in its order. */
function collecting(columns: number) {
  const chunks: Buffer[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    chunks.push(chunk)
    done()
  }
  return {
    terminal: Object.assign(new Writable({write}), {isTTY: true, columns}),
    text: () => String(Buffer.concat(chunks)),
  }
}

/** Runs the command of an act: the same class with the same checks, audit and settlement as if it were typed into a shell. */
async function runAct(
  act: Act,
  {opened: caller, answers}: ActWords,
  {onIntent, ...call}: Call & {readonly onIntent?: (() => void) | undefined},
  {run, config, io, prompts, connection, flags, columns}: ServiceOptions,
): Promise<Ran> {
  const {customer, ref} = caller
  const {ticket, reason, profile}: Call = act.reads ? {} : call
  const noted = [...flag('ticket', ticket), ...flag('reason', reason)]
  const words = act.words(customer.id, customer, answers)
  // An act with several commands names the one in its words.
  const depth = [3, 2, 1].find((length) => config.findCommand(words.slice(0, length).join(':'))) ?? 1
  const [id, args] = [words.slice(0, depth).join(':'), words.slice(depth)]
  const argv = [...args, ...noted, ...flag('confirm-profile', profile), ...flags]
  if (act.actsAsCustomer) await connection.connection.release()
  const {terminal, text} = collecting(columns())
  let report: ErrorReport | undefined
  const found = await config.findCommand(id, {must: true}).load()
  const Loaded = found as unknown as new (argv: string[], config: Config) => BaseCommand<never>
  const parent: Parent = {
    ...(act.actsAsCustomer ? {} : {connection: connection.connection}),
    failed: (failure) => {
      report = failure
    },
    onIntent,
    checked: call.checked?.split(' ').filter((name) => name !== ''),
  }
  const command = Object.assign(new Loaded(argv, config), {
    // Text for people, whatever form the session itself is to end with.
    io: {...io, stdout: terminal, stderr: terminal, env: {...io.env, FRONTDESK_OUTPUT: undefined}},
    prompts,
    parent,
  })
  const code = await command.begin()
  return {
    act,
    code,
    // With a reference that people can read.
    command: run.commandLine([...act.words(ref, customer, answers), ...noted, ...(run.isDry ? ['--dry-run'] : [])]),
    // The head of the session has named the target, and nobody on the phone asks for a version.
    text: (act.says && code === 0 && !run.isDry ? act.says(caller) : text())
      .replace(/^target: .*\n/m, '')
      .replace(/: version \d+ → \d+$/gm, ''),
    ...defined({report}),
  }
}

/** A flag with a value that was typed, and could look like another flag. */
const flag = (name: string, value: string | undefined): string[] => {
  if (value === undefined) return []
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value]
}
