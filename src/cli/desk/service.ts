import {Writable} from 'node:stream'
import type {Config} from '@oclif/core'
import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {runNested} from '../command/run-nested.js'
import {customerOf} from '../customers/calls.js'
import {cardOf, cardSections, emailChanged} from '../customers/card.js'
import type {Prompts} from '../input/ask.js'
import {type ErrorReport, reportOf} from '../output/error-report.js'
import {personOf} from '../output/views.js'
import type {Io} from '../process/io.js'
import type {Act, Answers, Offers, Opened, Option} from './act.js'
import {Finder} from './finding.js'
import type {IdleConnection} from './idle-connection.js'
import type {Call} from './policy.js'
import type {Search} from './prompter.js'

/** The desk's side of the service: it searches, reads cards, and runs the commands of the acts. */

/** What the desk needs of the service. Only the search throws. */
export interface Service {
  readonly find: Search['find']
  /** Reads a customer: the card, nothing if there is none, or why it could not be read. */
  open(id: string): Promise<Opened | ErrorReport | undefined>
  /** Reads what there is to choose from, or says why it could not. */
  offers(offers: Offers, opened: Opened): Promise<readonly Option[] | ErrorReport>
  /** Runs the command of an act. */
  run(act: Act, words: {readonly opened: Opened; readonly answers: Answers}, call: Call): Promise<Ran>
}

/** A command that ran. */
export interface Ran {
  readonly act: Act
  /** Its exit code. */
  readonly code: number
  /** Why it failed; absent if it did not. */
  readonly report?: ErrorReport
  /** A plan only: nothing was sent. */
  readonly isDryRun: boolean
  /** What it printed, redacted. */
  readonly text: string
  /** The command line that does the same. */
  readonly command: string
}

interface ServiceOptions {
  readonly config: Config
  readonly io: Io
  readonly prompts: Prompts
  readonly connection: IdleConnection
  /** Flags of the session that every command of it gets: target, redaction, dry run. */
  readonly flags: readonly string[]
  readonly isDryRun: boolean
  /** The command line that does the same, with profile and store. */
  readonly commandLine: (words: readonly string[]) => string
  readonly masked: (document: unknown) => unknown
  readonly redacted: (report: ErrorReport) => ErrorReport
  readonly columns: () => number
}

/** What stands before a choice: the cursor of the list, or its number. */
const cursor = 4

export function serviceOf(options: ServiceOptions): Service {
  const {connection, columns, io, masked} = options
  const finder = new Finder()
  const failed = (error: unknown): ErrorReport => options.redacted(reportOf(error))
  return {
    find: (text, signal) =>
      connection
        .use((client) => finder.find(client, text, signal, {columns: columns() - cursor, now: io.clock(), masked}))
        .catch((error: unknown) => Promise.reject(new Error(failed(error).message))),
    open: (id) =>
      connection
        .use((client) => opened(client, id, options))
        .catch((error: unknown) =>
          error instanceof ApiError && error.statusCode === 404 && !error.isForeign ? undefined : failed(error),
        ),
    offers: (offers, {customer}) =>
      connection.use((client) => offers(client, customer, io.clock())).catch((error: unknown) => failed(error)),
    run: (act, {opened: {customer, ref}, answers}, call) =>
      connection.hold(() =>
        ran(
          act,
          {words: act.words(customer.id, customer, answers), shown: act.words(ref, customer, answers)},
          call,
          options,
        ),
      ),
  }
}

async function opened(client: Client, id: string, {io, masked, commandLine}: ServiceOptions): Promise<Opened> {
  const expand = ['customerGroup', 'customerGroupAssignments[*].customerGroup']
  const customer = await customerOf(client, {by: 'id', value: id}, {expand})
  const card = await cardOf(client, customer, commandLine)
  const now = io.clock()
  const sections = cardSections(masked({...card, next: []}), now)
  const ref = customer.key === undefined ? id : `key=${customer.key}`
  return {
    customer,
    name: personOf(masked(customer)),
    ref,
    card: sections,
    ...defined({emailChanged: emailChanged(card, now)}),
  }
}

/** Collects what a command prints, on either stream, in its order. */
class Collected extends Writable {
  text = ''
  readonly isTTY = true
  readonly columns: number

  constructor(columns: number) {
    super()
    this.columns = columns
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8')
    done()
  }
}

interface Words {
  readonly words: readonly string[]
  /** The same with a reference that people can read. */
  readonly shown: readonly string[]
}

async function ran(act: Act, {words, shown}: Words, call: Call, options: ServiceOptions): Promise<Ran> {
  const {config, io, prompts, connection, flags, isDryRun, commandLine, columns} = options
  const noted = act.writes ? [...flag('ticket', call.ticket), ...flag('reason', call.reason)] : []
  const confirmed = act.writes ? flag('confirm-profile', call.profile) : []
  // A topic and a command; an act with several of them names the one in its words.
  const [command, args] = [words.slice(0, 2).join(' '), words.slice(2)]
  if (act.actsAsCustomer) await connection.connection.release()
  const printed = new Collected(columns())
  let report: ErrorReport | undefined
  const code = await runNested(command, [...args, ...noted, ...confirmed, ...flags], {
    config,
    // Text for people, whatever form the session itself is to end with.
    io: {...io, stdout: printed, stderr: printed, env: {...io.env, FRONTDESK_OUTPUT: undefined}},
    prompts,
    parent: {
      ...(act.actsAsCustomer ? {} : {connection: connection.connection}),
      failed: (failure) => {
        report = failure
      },
    },
  })
  return {
    act,
    code,
    isDryRun,
    command: commandLine([...shown, ...noted]),
    text: withoutTarget(printed.text),
    ...defined({report}),
  }
}

/** A flag with a value that was typed, and could look like another flag. */
const flag = (name: string, value: string | undefined): string[] => {
  if (value === undefined) return []
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value]
}

/** Every write names its target on a line; the head of the session has named it already. */
const withoutTarget = (text: string): string => text.replace(/^target: .*\n/m, '')
