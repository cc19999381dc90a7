import type {AnyOperation} from '../../api/operation/operation.js'
import {queryOf} from '../../api/operation/parameters.js'
import type {run} from '../../api/pipeline/pipeline.js'
import {ApiError, StateError} from '../../domain/errors.js'
import {asStateError, hasCode} from '../../files/file-errors.js'
import type {Router} from '../../server/http/router.js'
import type {OpenedRuntime} from '../../server/local/runtime.js'
import type {Incoming, Outgoing, Transport} from '../client.js'
import type {ConnectOptions} from '../target.js'
import {exchangeOf} from './exchange.js'

/** Carries requests into the pipeline of this process, and answers what a server would answer. */
export function embeddedTransport(
  runtime: OpenedRuntime,
  pipeline: typeof run,
  dataDir: string,
  onExchange: ConnectOptions['onExchange'],
): Transport {
  const answered = async (request: Outgoing): Promise<Incoming> => {
    const route = request.target ?? (await routed(request))
    if ('status' in route) return route
    let broken: StateError | undefined
    const exchange = {
      operation: route.operation,
      params: route.params,
      query: queryOf(request.path.split(/\?(.*)/s)[1] ?? ''),
      header: (name: string) => request.headers[name],
      body: async () => Buffer.from(request.body ?? ''),
    }
    const run = () =>
      pipeline(runtime, exchange, (error) => {
        const known = asStateError(error, dataDir)
        broken = known instanceof StateError ? known : fullDisk(error, dataDir)
      })
    const {state} = runtime
    const {view} = state
    const first = await run()
    // A token or a client that another process made since is unknown to what was read before. A refusal had no effect.
    const reply = first.status === 401 && (await state.refresh()) !== view ? await run() : first
    // A server would answer 500; here the state is the caller's own, and the caller can mend it.
    if (broken) throw broken
    return {status: reply.status, headers: reply.headers ?? {}, body: reply.body}
  }
  return {
    kind: 'embedded',
    get isHolding() {
      return runtime.state.isHolding ?? false
    },
    close: async () => {
      const {state, sweeper, clock} = runtime
      if (state.isHolding) await sweeper.sweepBriefly(clock())
      await sweeper.idle('stop')
      await state.close()
    },
    send: async (request) => {
      const started = performance.now()
      let answer: Incoming | undefined
      try {
        answer = await answered(request)
        return answer
      } finally {
        onExchange?.(
          exchangeOf(request, answer, {base: 'embedded:', durationMs: performance.now() - started, attempt: 1}),
        )
      }
    },
  }
}

/** A disk without room, which no repeat gets. */
function fullDisk(error: unknown, dataDir: string): StateError | undefined {
  const cause = error instanceof ApiError ? error.cause : undefined
  if (!(cause instanceof Error && hasCode(cause, 'ENOSPC', 'EDQUOT', 'EFBIG'))) return undefined
  const message = `The state in ${dataDir} cannot be written: ${cause.message}.`
  const remedy = 'Make room, then repeat. What was acknowledged is safe.'
  return new StateError('StateUnusable', message, dataDir, remedy, {cause})
}

let router: Router | undefined

/** Raw calls name a path; only they need the router and every operation. A path that leads nowhere is an answer too. */
async function routed({method, path, correlationId}: Outgoing) {
  if (path === '/oauth/token') {
    const {requestToken} = await import('../../api/oauth/operations.js')
    return {operation: requestToken as AnyOperation, params: {}}
  }
  const [{routerOf}, {operations}] = await Promise.all([
    import('../../server/http/router.js'),
    import('../../api/index.js'),
  ])
  router ??= routerOf(operations)
  try {
    return router(method, path.split('?')[0] ?? '')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const {refusal} = await import('../../api/pipeline/pipeline.js')
    const {status, headers = {}, body} = refusal(error, false, correlationId)
    return {status, headers, body} satisfies Incoming
  }
}
