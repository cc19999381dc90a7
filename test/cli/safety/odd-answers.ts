import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {buffer} from 'node:stream/consumers'

/** A server in front of ours that answers one request of a run as no server of this API would. */

export interface Odd {
  readonly status: number
  readonly text: string
}

const made = (status: number, body: unknown): (() => Odd) => {
  const text = JSON.stringify(body) ?? ''
  return () => ({status, text})
}

/** What names a document and a page, which an answer of another form is refused by. */
const kept = ['id', 'version', 'results', 'customer', 'access_token', 'total']

/** The same document with members of other types; what names it stays. */
function twisted(value: unknown, twist: (member: unknown) => unknown, isTop = true): unknown {
  if (Array.isArray(value)) return value.map((entry) => twisted(entry, twist, isTop))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isTop && kept.includes(name) ? twisted(member, twist) : twist(member),
    ]),
  )
}

const twist = (change: (member: unknown) => unknown) => (real: Odd) => ({
  status: real.status,
  text: JSON.stringify(twisted(JSON.parse(real.text || 'null'), change)) ?? '',
})

/** One member of another type at a time would be thousands of answers: all at once, each type of value in turn. */
export const oddAnswers: Readonly<Record<string, (real: Odd) => Odd>> = {
  null: made(200, null),
  'a list': made(200, []),
  'a text': made(200, 'text'),
  'a number': made(200, 7),
  'an empty document': made(200, {}),
  nothing: () => ({status: 200, text: ''}),
  'a page of HTML': () => ({status: 200, text: '<!doctype html><title>Welcome</title>'}),
  'results that are none': made(200, {results: null, total: 'many'}),
  'results of nothing': made(200, {results: [null, 1, 'x', []], total: 4, count: 4, offset: 0, limit: 20}),
  'a version as a text': (real) => ({
    status: real.status,
    text: real.text.replace(/"version":(\d+)/g, '"version":"$1"'),
  }),
  'members that are null': twist(() => null),
  'members that are numbers': twist(() => 7),
  'members that are texts': twist(() => 'text'),
  'members that are lists': twist(() => [null, 1, 'x', [], {}]),
  'members that are documents': twist(() => ({a: null})),
  'members that are missing': twist(() => undefined),
  'numbers beyond reason': twist((member) => (typeof member === 'number' ? 1e300 : member)),
  'negative numbers': twist((member) => (typeof member === 'number' ? -1 : member)),
  'an error without errors': made(400, {statusCode: 'x', message: 7}),
  'errors that are none': made(409, {statusCode: 409, message: null, errors: [null, 7, 'x', {code: 7, message: {}}]}),
  'a conflict without numbers': made(409, {
    statusCode: 409,
    message: 'x',
    errors: [{code: 'ConcurrentModification', message: [], currentVersion: 'x'}],
  }),
  'an error of another API': made(404, [{error: {reason: 1}}]),
  'a failure': made(500, null),
  'no content': () => ({status: 204, text: ''}),
  'an error of the token service': made(401, {error: 7, error_description: {}}),
}

export class OddServer {
  /** The requests of this run, as `GET /demo/customers`. */
  asked: string[] = []
  /** Which request is answered oddly, from 0, and how. */
  odd: {readonly nth: number; readonly answer: (real: Odd) => Odd} | undefined
  readonly #server = createServer((incoming, outgoing) => {
    this.#handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  readonly #target: string

  constructor(target: string) {
    this.#target = target
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const nth = this.asked.length
    this.asked.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    const real = await this.#forwarded(incoming, body)
    const {status, text} = this.odd?.nth === nth ? this.odd.answer(real) : real
    outgoing.writeHead(status, {'content-type': 'application/json'}).end(text)
  }

  #forwarded({method, url, headers: {host: _, ...headers}}: IncomingMessage, body: Buffer): Promise<Odd> {
    return new Promise((resolve, reject) => {
      const plain = {...headers, 'accept-encoding': 'identity'}
      const outgoing = request(`${this.#target}${url}`, {method, headers: plain}, (response) => {
        buffer(response).then((bytes) => resolve({status: response.statusCode ?? 500, text: String(bytes)}), reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}
