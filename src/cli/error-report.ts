import {type Trouble, Unreachable} from '../client/client.js'
import {withoutTokens} from '../client/redact.js'
import {Undone, Unsettled} from '../client/settle.js'
import {OrderBroken, ResultsMissing} from '../client/walk.js'
import {defined} from '../domain/equal.js'
import {ApiError, StateError} from '../domain/errors.js'
import {type Ending, exitCodes} from './exit-codes.js'
import {Failure} from './failure.js'
import type {Io} from './io.js'
import {jsonText, oneLine} from './render/sanitize.js'

/** What `--json` prints under `error`, and what the three lines for people are made of. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  readonly statusCode?: number
  readonly correlationId?: string
  readonly hints: readonly string[]
  readonly details: readonly unknown[]
}

/** Any error as a report. What is not foreseen is a bug, and says so. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof Failure) return ofFailure(error)
  if (error instanceof ApiError) return ofApiError(error)
  if (error instanceof Unreachable) return ofUnreachable(error)
  if (error instanceof Unsettled) return ofUnsettled(error)
  if (error instanceof Undone) return ofUndone(error)
  if (error instanceof OrderBroken || error instanceof ResultsMissing) return ofListing(error)
  if (error instanceof StateError) {
    const {code, message, wayBack, path} = error
    return {code, message, exitCode: exitCodes.localState.code, hints: [wayBack], details: [{path}]}
  }
  return ofSystemError(error) ?? ofBug(error)
}

function ofFailure(error: Failure): ErrorReport {
  const {code, message, exitCode, hints, details, statusCode, correlationId} = error
  return {
    code,
    message,
    exitCode,
    ...(statusCode === undefined ? {} : {statusCode}),
    ...(correlationId === undefined ? {} : {correlationId}),
    hints,
    details,
  }
}

const conflicts = new Set(['DuplicateField', 'LockedField', 'AnonymousIdAlreadyInUse', 'ConcurrentModification'])
const denials = new Set([
  'InvalidCredentials',
  'InvalidCurrentPassword',
  'ExpiredCustomerPasswordToken',
  'ExpiredCustomerEmailToken',
  'ExternalOAuthFailed',
  'invalid_client',
  'invalid_customer_account_credentials',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
])

function endingOf({code, statusCode}: ApiError): Ending {
  if (code === 'InvalidSetup') return 'usage'
  if (conflicts.has(code) || statusCode === 409) return 'conflict'
  if (denials.has(code) || statusCode === 401 || statusCode === 403) return 'denied'
  if (statusCode === 404) return 'notFound'
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500 || statusCode < 400) return 'unavailable'
  return 'invalid'
}

const hintsByCode = new Map<string, string>([
  ['AssociateMissingPermission', 'Give the associate a role with the permission in the business unit.'],
  ['ConcurrentModification', 'Read it again, or repeat with --on-conflict retry.'],
  ['DuplicateField', 'Choose another value, or find the holder with `frontdesk customers find`.'],
  ['LockedField', 'Another request holds the value at this moment; repeat in a moment.'],
  ['invalid_client', 'Check the client id and secret: `frontdesk profiles test`.'],
  ['invalid_token', 'Get a new token: `frontdesk token issue`, or `frontdesk login`.'],
  [
    'insufficient_scope',
    'Use a client with one of the missing scopes: `frontdesk token scopes` lists what a command needs.',
  ],
  ['InvalidCredentials', 'Check the email and the password, and whether the customer belongs to a store.'],
  [
    'invalid_customer_account_credentials',
    'Check the email and the password, and whether the customer belongs to a store.',
  ],
  ['InvalidCurrentPassword', 'Repeat with the right current password, or use `frontdesk customers reset-password`.'],
  ['ExpiredCustomerPasswordToken', 'Create a new one: `frontdesk customers password-token create`.'],
  ['ExpiredCustomerEmailToken', 'Create a new one: `frontdesk customers email-token create`.'],
  ['ResourceNotFound', 'Check the id or key, and the target: `frontdesk profiles show`.'],
  ['ReferencedResourceNotFound', 'Create the referenced resource first, or correct the reference.'],
  ['InvalidSetup', 'Correct the file or the flag; nothing was set up.'],
  ['InvalidInput', 'Correct the value; `frontdesk help predicates` explains queries.'],
])

const hintsByEnding = new Map<Ending, string>([
  ['denied', 'Check the credentials of the target: `frontdesk whoami`.'],
  ['notFound', 'Check the id or key, and the target: `frontdesk profiles show`.'],
  ['invalid', 'Correct the value and repeat.'],
  ['unavailable', 'Repeat in a moment.'],
])

function ofApiError(error: ApiError): ErrorReport {
  const ending = endingOf(error)
  const {retryAfterSeconds, correlationId} = error
  const hint =
    error.foreign === undefined ? (hintsByCode.get(error.code) ?? hintsByEnding.get(ending)) : hintsByTrouble.foreign
  return {
    code: error.code,
    message: withoutTokens(messageOf(error)),
    exitCode: exitCodes[ending].code,
    statusCode: error.statusCode,
    ...(correlationId === undefined ? {} : {correlationId}),
    hints: [
      ...(retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} seconds before the next try.`]),
      ...(hint === undefined ? [] : [hint]),
    ],
    details: error.errors.map((entry) => ({...entry, message: withoutTokens(entry.message)})),
  }
}

/** The API's text; of a refused JSON body the reason too, since the text alone names nothing. */
function messageOf(error: ApiError): string {
  const [{code, message, ...members}] = error.errors
  const {detailedErrorMessage, currentVersion, expectedVersion} = members as Record<string, unknown>
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

const hintsByTrouble: Readonly<Record<Trouble, string>> = {
  certificate: "The certificate is not trusted: renew it, or name your company's authority with --ca-file.",
  timeout: 'Wait longer with --timeout, as in --timeout 2m, or check whether the server runs.',
  proxy: 'Check the proxy and its credentials in HTTPS_PROXY, or name the host in NO_PROXY.',
  foreign: 'Something else than the API answered: check the addresses with `frontdesk profiles show`.',
}

function ofUnreachable(error: Unreachable): ErrorReport {
  const {message, trouble, correlationId} = error
  const hint = trouble
    ? hintsByTrouble[trouble]
    : 'Check the address with `frontdesk profiles show` and whether the server runs.'
  const exitCode = exitCodes.unavailable.code
  return {code: 'Unreachable', message, exitCode, correlationId, hints: [hint], details: []}
}

/** A write that nobody can settle: what was seen, and what to look at. */
function ofUnsettled({message, seen, look, cause}: Unsettled): ErrorReport {
  return {
    code: 'UnknownOutcome',
    message: `The request was sent, but no answer tells what became of it: ${withoutTokens(message)}`,
    exitCode: exitCodes.unknownOutcome.code,
    ...defined({correlationId: reportOf(cause).correlationId}),
    hints: [withoutTokens(seen), `It may have had its effect; look before you repeat it: ${look}`],
    details: [],
  }
}

/** A write that had no effect: the error of the request, and what was seen. */
function ofUndone({seen, cause}: Undone): ErrorReport {
  return {...reportOf(cause), hints: [`Nothing has changed. ${seen}`, 'Repeat it in a moment.']}
}

/** The results so far are not all of them, and no repeat would help. */
function ofListing({name: code, message}: OrderBroken | ResultsMissing): ErrorReport {
  const hints = [
    'What was read is not complete: do not use it.',
    'Narrow --where until one page holds everything, or have the server mended.',
  ]
  return {code, message, exitCode: exitCodes.unavailable.code, hints, details: []}
}

const systemEndings = new Map<string, Ending>([
  ['ENOSPC', 'localState'],
  ['EROFS', 'localState'],
  ['EIO', 'localState'],
  ['EFBIG', 'localState'],
  ['EDQUOT', 'localState'],
  ['EADDRINUSE', 'localState'],
  ['EMFILE', 'localState'],
  ['ENOENT', 'usage'],
  ['EISDIR', 'usage'],
  ['ENOTDIR', 'usage'],
  ['EACCES', 'usage'],
  ['EPERM', 'usage'],
  ['EEXIST', 'usage'],
  ['ELOOP', 'usage'],
  ['ENAMETOOLONG', 'usage'],
])

/** Errors of the file system, by their code: Node's text names the path. */
function ofSystemError(error: unknown): ErrorReport | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const ending = systemEndings.get(error.code)
  if (!ending) return undefined
  const hint = ending === 'usage' ? 'Check the path and its permissions.' : 'Make room or repair the disk, then repeat.'
  return {code: error.code, message: error.message, exitCode: exitCodes[ending].code, hints: [hint], details: []}
}

function ofBug(error: unknown): ErrorReport {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'Bug',
    message: `Unexpected: ${message}`,
    exitCode: exitCodes.bug.code,
    hints: ['This is a bug in frontdesk; FRONTDESK_DEBUG=1 shows where.'],
    details: [],
  }
}

/** Three short lines: what failed, what to do, and where to look it up. */
export function reportLines(report: ErrorReport, profile: string | undefined): string {
  const facts = [
    ...(report.correlationId === undefined ? [] : [`request ${report.correlationId}`]),
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    `exit ${report.exitCode}`,
  ]
  const advice = report.hints.length === 0 ? 'See the help: add --help.' : report.hints.join(' ')
  const lines = [`Error: ${report.message}`, advice, facts.join(' · ')]
  return lines.map((line) => `${oneLine(line)}\n`).join('')
}

/** The same for programs: one JSON document. */
export const reportJson = (report: ErrorReport): string => `${jsonText({error: report}, 2)}\n`

/** Prints a failure the way it is owed: JSON on stdout, or three lines on stderr. */
export function showReport(
  report: ErrorReport,
  {stdout, stderr}: Io,
  {json, profile}: {readonly json: boolean; readonly profile?: string | undefined},
): void {
  if (json) stdout.write(reportJson(report))
  else stderr.write(reportLines(report, profile))
}
