import {Unreachable} from '../../client/client.js'
import {OutcomeUnknown, WriteNotApplied} from '../../client/settle.js'
import {OrderBroken, ResultsMissing} from '../../client/walk.js'
import {defined} from '../../domain/equal.js'
import {ApiError, Expected} from '../../domain/errors.js'
import {withoutTokens} from '../../domain/redact.js'
import {hasCode} from '../../files/file-errors.js'
import {type Ending, exitCodes} from '../process/exit-codes.js'
import {Failure, notConfirmed} from '../process/failure.js'
import {type Failing, hintOnSilence, hintsOn} from '../process/hints.js'
import {type Environment, type Io, valuesIn, variable} from '../process/io.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import {systemFailure} from '../process/system-errors.js'
import {cellText, valueAt} from './fields.js'
import {wrapped} from './wrap.js'

/** The error that `--json` prints under `error`, and that the three lines for people show. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  readonly statusCode?: number
  readonly correlationId?: string
  readonly hints: readonly string[]
  readonly details: readonly unknown[]
}

/** Any error as a report, with hints for the command that failed. An unexpected error is reported as a bug. */
export function reportOf(error: unknown, failing: Failing = {}): ErrorReport {
  const {code, message, ending, hints, details, more, statusCode, correlationId} = failureOf(error, failing)
  const {code: exitCode} = exitCodes[ending]
  return {...more, code, message, exitCode, ...defined({statusCode, correlationId}), hints, details}
}

function failureOf(error: unknown, failing: Failing): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Expected) return ofExpected(error as Expected<Ending>, failing)
  if (error instanceof ApiError) return ofApiError(error, failing)
  if (error instanceof Unreachable) {
    const {message, trouble, correlationId} = error
    return new Failure('unavailable', 'Unreachable', message, {correlationId, hints: [hintOnSilence(trouble)]})
  }
  if (error instanceof OutcomeUnknown) return ofOutcomeUnknown(error)
  if (error instanceof WriteNotApplied) {
    const {ending, code, message, ...rest} = failureOf(error.cause, failing)
    const hints = [`Nothing has changed. ${error.seen}`, 'Repeat it in a moment.']
    return new Failure(ending, code, message, {...rest, hints})
  }
  if (error instanceof OrderBroken || error instanceof ResultsMissing)
    return new Failure('unavailable', error.name, error.message, {hints: hintsOnListing})
  return systemFailure(error) ?? ofBug(error)
}

/** What the engine expected ends as it says, or as its cause does. */
function ofExpected(error: Expected<Ending>, failing: Failing): Failure {
  const {message, hints, details, more} = error
  const {ending, code, statusCode, correlationId} = error.ending ? error : failureOf(error.cause, failing)
  return new Failure(ending ?? 'bug', code, message, {hints, details, more, statusCode, correlationId})
}

/** No retry completes an incomplete listing. */
const hintsOnListing = [
  'The listing is not complete: do not use it.',
  'Narrow --where until one page holds everything, or repair the server.',
]

const conflicts = new Set(['DuplicateField', 'LockedField', 'AnonymousIdAlreadyInUse', 'ConcurrentModification'])
const denials = new Set([
  'InvalidCredentials',
  'InvalidCurrentPassword',
  'ExpiredCustomerPasswordToken',
  'ExpiredCustomerEmailToken',
  'invalid_client',
  'invalid_customer_account_credentials',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
])

function endingOf({code, statusCode, foreign}: ApiError): Ending {
  if (code === 'InvalidSetup') return 'usage'
  if (conflicts.has(code) || statusCode === 409) return 'conflict'
  if (denials.has(code) || statusCode === 401 || statusCode === 403) return 'denied'
  if (statusCode === 404) return foreign === undefined ? 'notFound' : 'unavailable'
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500 || statusCode < 400) return 'unavailable'
  return 'invalid'
}

function ofApiError(error: ApiError, failing: Failing): Failure {
  const ending = endingOf(error)
  const {code, statusCode, correlationId} = error
  const isOfVariable = code === 'invalid_token' && failing.variables?.includes('FRONTDESK_TOKEN')
  const message = isOfVariable ? 'The token in FRONTDESK_TOKEN has expired or is not valid.' : messageOf(error)
  return new Failure(ending, code, withoutTokens(message), {
    statusCode,
    correlationId,
    hints: hintsOn(error, ending, failing),
    details: error.errors.map((entry) => ({...entry, message: withoutTokens(entry.message)})),
  })
}

/** The API's message, with the detailed message of a refused JSON body, since the message alone names no cause. */
function messageOf(error: ApiError): string {
  const [{code, message, ...members}] = error.errors
  const {detailedErrorMessage, currentVersion, expectedVersion} = members as Record<string, unknown>
  if (code === 'invalid_client') return 'The id or the secret of the API client is wrong.'
  if (typeof detailedErrorMessage === 'string') return `${message} ${detailedErrorMessage}`
  if (
    code === 'ConcurrentModification' &&
    typeof currentVersion === 'number' &&
    !message.includes(`${currentVersion}`)
  ) {
    return `${message} Expected version ${String(expectedVersion)}, current version ${currentVersion}.`
  }
  return message
}

/** A write whose outcome is unknown: what was read afterwards, and the command that shows more. */
function ofOutcomeUnknown({message, seen, look, cause}: OutcomeUnknown): Failure {
  const text = `The request was sent, and it is unknown whether it took effect: ${withoutTokens(message)}`
  return new Failure('unknownOutcome', 'UnknownOutcome', text, {
    correlationId: reportOf(cause).correlationId,
    hints: [withoutTokens(seen), `It may have had its effect; look before you repeat it: ${look}`],
  })
}

function ofBug(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const hints = ['This is a bug in frontdesk; FRONTDESK_DEBUG=1 shows where.']
  return new Failure('bug', 'Bug', `Unexpected: ${message}`, {hints})
}

/** The first line of a report, without the predicate and the arrow below it. A declined question is no error. */
export const headline = ({code, message}: ErrorReport): string =>
  code === notConfirmed ? message : `Error: ${message.replace(/:\n[^\n]*\n *\^$/, '.')}`

/**
 * Up to three short lines, broken between words where a terminal has fewer columns: what failed, what to do if there is
 * something, and where to look it up.
 */
export function reportLines(
  report: ErrorReport,
  profile: string | undefined,
  terminal: {isTTY?: boolean; columns?: number} = {},
): string {
  const facts = [
    ...(report.correlationId === undefined ? [] : [`request ${report.correlationId}`]),
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    `exit ${report.exitCode}`,
  ]
  const isUsage = report.exitCode === exitCodes.usage.code
  const advice = report.hints.length === 0 && isUsage ? ['See the help: add --help.'] : report.hints
  const lines = [
    headline(report),
    ...report.details.flatMap(candidateLine),
    ...(advice.length === 0 ? [] : [advice.join(' ')]),
    facts.join(' · '),
  ]
  return lines.map((line) => `${wrapped(oneLine(line), terminal)}\n`).join('')
}

/** A customer that an error names as one who may be meant: id, key, stores and name. */
function candidateLine(detail: unknown): string[] {
  const [id, key, name] = ['id', 'key', 'name'].map((member) => valueAt(detail, member))
  const stores = valueAt(detail, 'stores')
  if (typeof id !== 'string' || !Array.isArray(stores)) return []
  const facts = [id, ...(typeof key === 'string' ? [`key=${key}`] : []), cellText(stores) || 'global', cellText(name)]
  return [`  ${facts.join('  ')}`]
}

export const reportJson = (report: ErrorReport): string => `${jsonText({error: report}, 2)}\n`

/** Prints a failure: as JSON on stdout, or as up to three lines on stderr, also where stdout takes no more. */
export function showReport(
  report: ErrorReport,
  {stdout, stderr}: Io,
  {json, profile}: {readonly json: boolean; readonly profile?: string | undefined},
): void {
  const lines = (): boolean => stderr.write(reportLines(report, profile, stderr))
  if (json) stdout.write(reportJson(report), (error) => error && !hasCode(error, 'EPIPE') && lines())
  else lines()
}

/**
 * Whether failures are printed as JSON; read from the raw arguments, since parsing the flags may be what fails. `output`
 * knows the form that the profile chooses, where that can be read.
 */
export function printsJson(
  argv: readonly string[],
  env: Environment,
  output?: {readonly form: unknown} | undefined,
): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const given = valuesIn(own, 'output', 'o').at(-1) ?? variable(env, 'FRONTDESK_OUTPUT')
  if (own.includes('--json') || given === 'json') return true
  try {
    return output?.form === 'json'
  } catch {
    return false
  }
}
