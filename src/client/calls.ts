import {randomUUID} from 'node:crypto'
import type {AnyOperation} from '../api/operation.js'
import type {CallOptions, Client, Incoming, QueryValue, Transport} from './client.js'
import {refusalOf, type Session} from './session.js'
import type {ConnectOptions} from './target.js'

const storePrefix = '/{projectKey}/in-store/key={storeKey}/'

/** The path of an operation for a call; below the client's store if the operation has a twin there. */
function pathOf(operation: AnyOperation, params: Readonly<Record<string, string>>): string {
  const declared: string = operation.path
  const path = operation.inStore && 'storeKey' in params ? declared.replace('/{projectKey}/', storePrefix) : declared
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function searchOf(query: Readonly<Record<string, QueryValue>> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const entry of Array.isArray(value) ? value : [value]) search.append(name, String(entry))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

export interface ClientParts {
  readonly transport: Transport
  readonly session: Session
  readonly projectKey: string
  readonly storeKey?: string
  readonly options: ConnectOptions
}

/** The typed client over any transport. */
export function clientOf({transport, session, projectKey, storeKey, options}: ClientParts): Client {
  const send = async (
    method: string,
    path: string,
    {body, correlationId = options.correlationId ?? randomUUID(), signal}: CallOptions<unknown>,
    target?: {operation: AnyOperation; params: Readonly<Record<string, string>>},
  ): Promise<Incoming> => {
    const attempt = async (): Promise<Incoming> => {
      const authorization = await session.authorization()
      return transport.send({
        method,
        path,
        headers: {
          accept: 'application/json',
          'x-correlation-id': correlationId,
          ...(authorization === undefined ? {} : {authorization}),
          ...(body === undefined ? {} : {'content-type': 'application/json'}),
        },
        ...(body === undefined ? {} : {body: JSON.stringify(body)}),
        ...(signal ? {signal} : {}),
        correlationId,
        ...(target ? {target} : {}),
      })
    }
    const answer = await attempt()
    // A token may end before its time: revoked, or its server was reset. Once is enough.
    return answer.status === 401 && (await session.renew()) ? attempt() : answer
  }

  return {
    projectKey,
    ...(storeKey === undefined ? {} : {storeKey}),
    call: async (operation, params, options = {}) => {
      const place = {projectKey, ...(operation.inStore && storeKey !== undefined ? {storeKey} : {})}
      const all: Readonly<Record<string, string>> = {...(params as Record<string, string>), ...place}
      const path = pathOf(operation, all) + searchOf(options.query)
      const correlationId = options.correlationId ?? randomUUID()
      const answer = await send(operation.method, path, {...options, correlationId}, {operation, params: all})
      if (answer.status >= 200 && answer.status < 300) return answer.body as never
      throw refusalOf(
        answer.status,
        answer.body,
        answer.headers['x-correlation-id'] ?? correlationId,
        answer.headers['retry-after'],
      )
    },
    form: async (operation, fields) => {
      const params: Readonly<Record<string, string>> = {projectKey, ...(storeKey === undefined ? {} : {storeKey})}
      const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const correlationId = options.correlationId ?? randomUUID()
      const answer = await transport.send({
        method: operation.method,
        path: pathOf(operation, params),
        headers: {
          accept: 'application/json',
          authorization: await session.basic(),
          'content-type': 'application/x-www-form-urlencoded',
          'x-correlation-id': correlationId,
        },
        body: new URLSearchParams(given).toString(),
        correlationId,
        target: {operation, params},
      })
      if (answer.status >= 200 && answer.status < 300) return answer.body as never
      throw refusalOf(answer.status, answer.body, correlationId, answer.headers['retry-after'])
    },
    raw: (method, path, options = {}) => send(method, path + searchOf(options.query), options),
    close: () => transport.close(),
  }
}
