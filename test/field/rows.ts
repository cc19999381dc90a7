import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'

/**
 * Public reports about the platform, as requests (decision 61). A row says which thread it is from and what the thread says,
 * and sends that to a server over HTTP. The requests are written anew; their answers are what the platform answered.
 */

/** A request. Without `as`, it has a token with every scope. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Below the project: `/customers`; a path that begins with `/oauth` is taken as it is. */
  readonly path: string
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** An access token; or the id and secret of an API client. */
  readonly as?: string | readonly [id: string, secret: string]
  readonly headers?: Readonly<Record<string, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server says
type Body = any

export interface Answer {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** What a row finds where it is asked: earlier requests can be sent. */
export interface Place {
  readonly server: RunningServer
  readonly client: readonly [id: string, secret: string]
  readonly send: (asked: Asked) => Promise<Answer>
  /** A customer who signed up with a new email, `right horse` and these members. */
  readonly customer: (members?: object) => Promise<Body>
}

export interface Row {
  /** The thread: `owner/name#number`. */
  readonly source: string
  /** What it says, in one sentence. */
  readonly says: string
  readonly request: Asked | ((place: Place) => Asked | Promise<Asked>)
  /** Members of the answer: texts and numbers are equal, patterns match, lists have as many elements. */
  readonly answer: {
    readonly status: number
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, unknown>>
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Expects the members that a pattern names, at any depth. */
function fits(value: unknown, pattern: unknown, at: string): void {
  if (pattern instanceof RegExp) expect(String(value), at).to.match(pattern)
  else if (isList(pattern)) {
    expect(value, at).to.be.an('array').with.lengthOf(pattern.length)
    for (const [index, one] of pattern.entries()) fits((value as unknown[])[index], one, `${at}[${index}]`)
  } else if (typeof pattern === 'object' && pattern !== null) {
    for (const [name, one] of Object.entries(pattern)) fits((value as Body)?.[name], one, `${at}.${name}`)
  } else expect(value, at).to.equal(pattern)
}

let customers = 0

async function place(server: RunningServer): Promise<Place> {
  const client = [server.client.clientId, server.client.clientSecret] as const
  let token = ''
  const send = async ({path, body, form, headers = {}, as = token, ...asked}: Asked): Promise<Answer> => {
    const sent = form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body)
    const answer = await fetch(server.apiUrl + (path.startsWith('/oauth') ? path : `/shop${path}`), {
      method: asked.method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: typeof as === 'string' ? `Bearer ${as}` : `Basic ${btoa(as.join(':'))}`,
        ...(sent === undefined
          ? {}
          : {'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json'}),
        ...headers,
      },
      ...(sent === undefined ? {} : {body: sent}),
    })
    const text = await answer.text()
    return {status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers}
  }
  const customer = async (members: object = {}): Promise<Body> => {
    customers += 1
    const body = {email: `field-${customers}@example.com`, password: 'right horse', ...members}
    const made = await send({path: '/customers', body})
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    return made.body.customer
  }
  const form = {grant_type: 'client_credentials'}
  token = (await send({path: '/oauth/token', as: client, form})).body.access_token
  return {server, client, send, customer}
}

/** A suite of an area: its rows, against one server that `prepare` may add to. */
export function rows(area: string, all: readonly Row[], prepare?: (place: Place) => Promise<unknown>): void {
  describe(`field · ${area}`, () => {
    let at: Place
    before(async () => {
      at = await place(await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}}))
      await prepare?.(at)
    })
    after(() => at.server.stop())
    for (const {source, says, request, answer} of all) {
      it(`${source}: ${says}`, async () => {
        const said = await at.send(typeof request === 'function' ? await request(at) : request)
        expect(said.status, JSON.stringify(said.body)).to.equal(answer.status)
        if (answer.body !== undefined) fits(said.body, answer.body, 'body')
        fits(Object.fromEntries(said.headers), answer.headers ?? {}, 'headers')
      })
    }
  })
}
