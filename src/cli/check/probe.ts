import {request as httpRequest} from 'node:http'
import {request as httpsRequest} from 'node:https'
import {CheckFailed} from './runner.js'

/** One request to an endpoint under check: no redirects, five seconds unless said otherwise, 64 KiB. */

export interface Probed {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly durationMs: number
}

const limitMs = 5_000
const maxBytes = 65_536

export interface ProbeOptions {
  readonly method?: string
  /** Several values of a name become headers of their own. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly timeoutMs?: number | undefined
}

/** Sends it. Throws CheckFailed at a limit, or what the connection said if no answer came. */
export function probe(
  url: string,
  {method = 'GET', headers = {}, body, timeoutMs = limitMs}: ProbeOptions,
): Promise<Probed> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const {origin, protocol, hostname, port} = new URL(url)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        protocol,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        // As it stands: URL would resolve the dots that some checks send on purpose.
        path: url.slice(origin.length),
        method,
        agent: false,
        headers: {accept: 'application/json', ...headers},
      },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > maxBytes) end(new CheckFailed(`The answer is longer than ${maxBytes / 1024} KiB.`))
        })
        response.on('error', (error) => end(error))
        response.on('end', () => {
          clearTimeout(timer)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
            durationMs: performance.now() - started,
          })
        })
      },
    )
    const end = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      outgoing.destroy()
    }
    const timer = setTimeout(
      () => end(new CheckFailed(`No whole answer came within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    )
    outgoing.on('error', end)
    outgoing.end(body)
  })
}
