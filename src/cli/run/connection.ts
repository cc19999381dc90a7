import {X509Certificate} from 'node:crypto'
import type {Client} from '../../client/client.js'
import type {ConnectOptions, Exchange, Target} from '../../client/target.js'
import {defined} from '../../domain/equal.js'
import {isCorrelationId} from '../../domain/redact.js'
import type {ErrorReport} from '../output/error-report.js'
import {durationMs} from '../process/durations.js'
import {usage} from '../process/failure.js'
import {isOn, variable} from '../process/io.js'
import {readText} from '../process/system-errors.js'
import {settingOf, tokenCacheFolder} from '../target/settings.js'
import {withRedaction} from './redaction.js'
import {beside, type Run} from './run.js'
import {exchangeLine, traceText, withoutPeople} from './trace.js'
import {noteFile} from './written-files.js'

interface ConnectionOptions {
  readonly version: string
  readonly onCall?: ConnectOptions['onCall'] | undefined
  /** `--timeout` of the command is the end of its own waiting, and no limit of a request. */
  readonly waits?: boolean
  /** Whether one budget of time holds for the repeats of all its requests (decision 67). */
  readonly isBounded?: boolean
}

const maxNotice = 500
const maxNotices = 10

/** The client of one run, opened at its first use, with its trace. */
export class Connection {
  readonly #run: Run
  readonly #options: ConnectionOptions
  readonly #exchanges: Exchange[] = []
  readonly #notices = new Set<string>()
  #client: Promise<Client> | undefined

  constructor(run: Run, options: ConnectionOptions) {
    this.#run = run
    this.#options = options
  }

  client(): Promise<Client> {
    this.#client ??= this.#open()
    return this.#client
  }

  /** Closes the client and its local state, so that others get the lock; the next use opens it again. */
  async release(): Promise<void> {
    const opened = this.#client
    this.#client = undefined
    await (await opened?.catch(() => undefined))?.close()
  }

  /** Runs work with a new client, which sees what others wrote since, and releases its lock afterwards. */
  async once<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#open()
    try {
      return await work(client)
    } finally {
      await client.close()
    }
  }

  /** A client of another target. The caller closes it. */
  async to(target: Target): Promise<Client> {
    const {connect} = await import('../../client/connect.js')
    return withRedaction(await connect(target, this.options()), this.#run.redaction)
  }

  async #open(): Promise<Client> {
    const options = this.options()
    const {connect} = await import('../../client/connect.js')
    const {resolved, isDry} = this.#run
    return connect(...(await readable(resolved.target, options, isDry)))
  }

  /** Options by flag, environment and profile, checked before anything is sent. */
  options(): ConnectOptions {
    const {io, flags, folders, chosen} = this.#run
    const timeout = this.#setting('timeout', 'FRONTDESK_TIMEOUT')
    const ca = this.#setting('ca-file', 'FRONTDESK_CA_FILE', chosen.profile.caFile)
    const correlation = this.#setting('correlation-id', 'FRONTDESK_CORRELATION_ID')
    if (correlation !== undefined && !isCorrelationId(correlation)) {
      throw usage('--correlation-id is not well-formed.', 'Use 8 to 256 letters, digits, -, _ and /.')
    }
    if (ca !== undefined) checkCertificates(ca)
    const listens = flags.verbose || isOn(io.env, 'FRONTDESK_VERBOSE') || flags['trace-http'] !== undefined
    const {onCall, isBounded} = this.#options
    const timeoutMs = durationMs(timeout ?? '30s', '--timeout')
    return {
      // A last try may begin at the end of the budget, and take its own time.
      ...defined({onCall, repeatsMs: isBounded ? 2 * timeoutMs : undefined}),
      timeoutMs,
      retries: flags.retries ?? this.#retries() ?? 4,
      tokenCacheDir: tokenCacheFolder(folders),
      clock: io.clock,
      userAgent: `frontdesk/${this.#options.version} node/${process.versions.node}`,
      onDeprecation: (notice) => this.#warn(notice),
      onWait: (holder) => this.#run.say(`waiting for ${holder}`),
      onWarning: (message) => this.#run.say(message),
      ...defined({correlationId: correlation, caFile: ca}),
      ...(listens ? {onExchange: (exchange: Exchange) => this.#record(exchange)} : {}),
    }
  }

  #setting(name: 'timeout' | 'ca-file' | 'correlation-id', variableName: string, own?: string): string | undefined {
    const {flags, chosen} = this.#run
    const requestFlags = this.#options.waits ? {...flags, timeout: undefined} : flags
    return settingOf(name, variableName, own, {flags: requestFlags, chosen})?.value
  }

  #retries(): number | undefined {
    const text = variable(this.#run.io.env, 'FRONTDESK_RETRIES')
    if (text === undefined) return undefined
    if (/^(1?\d|20)$/.test(text)) return Number(text)
    throw usage(`FRONTDESK_RETRIES is '${text}'.`, 'Use a number from 0 to 20.')
  }

  /** Prints each deprecation notice once per run, and only so many, so that a server cannot flood the screen. */
  #warn(notice: string): void {
    const shown = notice.slice(0, maxNotice)
    if (this.#run.flags.quiet || this.#notices.has(shown) || this.#notices.size >= maxNotices) return
    this.#notices.add(shown)
    this.#run.stderr(`Deprecated: ${shown}`)
  }

  #record(exchange: Exchange): void {
    const {flags, io, redaction} = this.#run
    const trace = flags['trace-http']
    if (trace !== undefined && trace !== '-') this.#exchanges.push(exchange)
    if (trace === '-' || flags.verbose || isOn(io.env, 'FRONTDESK_VERBOSE'))
      this.#run.stderr(exchangeLine(withoutPeople(exchange, redaction)))
  }

  /** Closes the client and writes the trace, also after a failure. */
  async close(): Promise<void> {
    const {io, flags, redaction} = this.#run
    const trace = flags['trace-http']
    try {
      await this.release()
    } finally {
      if (trace !== undefined && trace !== '-') {
        const shown = this.#exchanges.map((exchange) => withoutPeople(exchange, redaction))
        await beside(this.#run, `write ${trace}`, () => {
          const text = traceText(shown, io.clock(), this.#options.version)
          if (this.#run.files.result(trace, text, '')) noteFile(this.#run, trace)
        })
      }
    }
  }
}

/** What a command lends to one that it runs inside itself. */
export interface Parent {
  /** Its connection, which stays open; absent for a command that acts as somebody else, with a connection of its own. */
  readonly connection?: Connection
  /** Gets the report of a failure, redacted, in place of the streams. */
  readonly failed: (report: ErrorReport) => void
  /** Fields that a caller was asked for, for the audit log. */
  readonly checked?: readonly string[] | undefined
  /** Called once the audit log has the intent of a write. */
  readonly onIntent?: (() => void) | undefined
}

/** What a run connects to. In a dry run a project that this machine has not made yet is made in memory alone. */
export async function readable(
  target: Target,
  options: ConnectOptions,
  isDry: boolean,
): Promise<readonly [Target, ConnectOptions]> {
  if (!isDry || target.kind !== 'embedded' || target.credentials) return [target, options]
  const {localClient} = await import('../../client/local/local-server.js')
  if (await localClient(target.dataDir, target.projectKey)) return [target, options]
  const {tokenCacheDir: _, ...rest} = options
  return [{...target, dataDir: ':memory:'}, rest]
}

/** TLS would leave out what it cannot read. */
function checkCertificates(path: string): void {
  const text = readText(path, 'Check --ca-file.')
  try {
    const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*(-----END CERTIFICATE-----)?/g)
    if (found?.every((one) => new X509Certificate(one))) return
  } catch {
    // Said below.
  }
  throw usage(`The file ${path} holds no certificate, or one that cannot be read.`, 'Name a PEM file with --ca-file.')
}
