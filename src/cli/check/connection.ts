import {requestToken} from '../../api/oauth/operations.js'
import type {ConnectOptions} from '../../client/target.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {ApiError} from '../../domain/errors.js'
import {reportOf} from '../output/error-report.js'
import {Failure} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {checkScope, foundProject} from '../target/whoami.js'
import {CheckFailed, type Run as CheckRun, type CheckStep, runSteps, type Verdict} from './runner.js'

/** Checks the address, the credentials, the project and the clock of a target, for `whoami --check`. */
export const checkConnection = (seen: Seen): Promise<CheckRun> =>
  runSteps(connectionSteps, seen, {judge, stopsAtFailure: true})

/** What the steps look at, each resting on the one before, and what a step leaves for those after it. */
interface Seen {
  readonly run: Run
  readonly options: ConnectOptions
  readonly maxSkewMs: number
  /** The server's clock, as its answers tell it. */
  date?: string
  /** Of a client's token; the scopes of a token that was given are not known. */
  scope?: string
}

const connectionSteps: readonly CheckStep<Seen>[] = [
  ['the API answers', reaches],
  ['the credentials are accepted', signsIn],
  ['the project is there', findsProject],
  ['the clocks agree', comparesClocks],
]

function judge(thrown: unknown): Verdict {
  const {message, hints} = reportOf(thrown)
  // Whatever else answers there shows that the address is wrong.
  const isAnswer = thrown instanceof ApiError && thrown.statusCode < 500 && ![408, 429].includes(thrown.statusCode)
  const isMissing = thrown instanceof Failure && ['denied', 'notFound'].includes(thrown.ending)
  return {failures: [message, ...hints], ...(isAnswer || isMissing ? {} : {error: thrown})}
}

/** Any answer counts; without credentials it is a refusal. Nothing that could change or count is asked. */
async function reaches(seen: Seen): Promise<string> {
  const {options, run} = seen
  const {target} = run.resolved
  const {connect} = await import('../../client/connect.js')
  const client = await connect({...target, credentials: {kind: 'none'}}, options)
  try {
    const answer = await client.raw('GET', `/${target.projectKey}`)
    if (answer.status >= 500 || answer.status === 429) throw refusalOf(answer)
    const {date} = answer.headers
    if (date !== undefined) seen.date = date
    return target.kind === 'remote' ? new URL(target.apiUrl).host : `embedded in ${target.dataDir}`
  } finally {
    await client.close()
  }
}

async function signsIn(seen: Seen): Promise<string> {
  const opened = await seen.run.client()
  if (seen.run.resolved.target.credentials?.kind === 'token') {
    const {status} = await opened.raw('GET', `/${opened.projectKey}`)
    if (status === 401)
      throw new CheckFailed('The access token is refused: it has expired, was revoked, or is for another service.')
    return 'an access token'
  }
  const {scope} = await opened.form(requestToken, {grant_type: 'client_credentials'})
  seen.scope = typeof scope === 'string' ? scope : ''
  return seen.scope
}

async function findsProject({run, scope}: Seen): Promise<string> {
  const opened = await run.client()
  checkScope(scope, opened.projectKey)
  return await foundProject(opened, scope)
}

async function comparesClocks({run, maxSkewMs, date}: Seen): Promise<string> {
  if (run.resolved.target.kind === 'embedded') return 'one clock'
  const there = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(there)) return 'the server does not tell its time'
  // The header has whole seconds, and the answer was a while on its way.
  const skewMs = run.io.clock() - there
  const seconds = `${(Math.abs(skewMs) / 1000).toFixed(0)} s`
  if (Math.abs(skewMs) <= maxSkewMs) return `${seconds} apart`
  throw new CheckFailed(`This machine is ${seconds} ${skewMs > 0 ? 'ahead of' : 'behind'} the server.`)
}
