import {connect, type Socket} from 'node:net'
import {patienceMs} from '../../patience.js'

/** HTTP by hand: every byte of a request is the test's, since most of what is tried here no client would send. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any

export interface Answer {
  readonly status: number
  /** Lower-case names; a name that stands twice is joined by a line break. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly body: Body
}

export interface Sent {
  readonly method?: string
  readonly path: string
  /** A list of pairs may repeat a name. `host` and `connection` are added unless they stand here. */
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

/** Everything that the server says until it ends the connection. */
export function exchange(origin: string, talk: (socket: Socket) => void): Promise<string> {
  const {hostname, port} = new URL(origin)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('utf8'))
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end within ${patienceMs} ms after ${Buffer.concat(chunks).toString('utf8').slice(0, 200)}`))
    }, patienceMs)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', end)
    socket.once('close', end)
    socket.once('error', (error) => {
      if (chunks.length > 0) end()
      else {
        clearTimeout(timer)
        reject(error)
      }
    })
    socket.once('connect', () => talk(socket))
  })
}

export const raw = (origin: string, bytes: string | Uint8Array): Promise<string> =>
  exchange(origin, (socket) => socket.write(bytes))

/** The first answer in what a server said. */
export function answerOf(text: string): Answer {
  const cut = text.indexOf('\r\n\r\n')
  const [line = '', ...lines] = text.slice(0, cut < 0 ? undefined : cut).split('\r\n')
  const headers = new Map<string, string>()
  for (const header of lines) {
    const at = header.indexOf(':')
    const name = header.slice(0, at).toLowerCase()
    const value = header.slice(at + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}\n${value}` : value)
  }
  const length = Number(headers.get('content-length') ?? 0)
  const body = Buffer.from(cut < 0 ? '' : text.slice(cut + 4))
    .subarray(0, length)
    .toString('utf8')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0),
    headers,
    text: body,
    get body() {
      return JSON.parse(body) as unknown
    },
  }
}

export function requestBytes(origin: string, {method = 'GET', path, headers = {}, body}: Sent): Buffer {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
  const has = (name: string) => pairs.some(([given]) => given.toLowerCase() === name)
  const bytes = Buffer.from(body ?? '')
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(has('host') ? [] : [`host: ${new URL(origin).host}`]),
    ...(has('connection') ? [] : ['connection: close']),
    ...pairs.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [`content-length: ${bytes.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

export const send = async (origin: string, sent: Sent): Promise<Answer> =>
  answerOf(await raw(origin, requestBytes(origin, sent)))

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

export const formType = 'application/x-www-form-urlencoded'

/** A form as browsers write it; undefined members are left out. */
export const formOf = (members: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')
