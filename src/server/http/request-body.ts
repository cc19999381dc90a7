import type {IncomingMessage} from 'node:http'
import {ApiError} from '../../domain/errors.js'
import {nextRead} from '../../work/time-slices.js'

const late = (): ApiError => ApiError.of('RequestTimeout', {message: 'The body did not arrive.'})

/** Bodies up to here count for nothing: all connections together have few. */
const smallBytes = 65_536

/** How bodies that are not small are counted. */
interface LargeBodies {
  /** Counts the bytes that have come. */
  claim(bytes: number): void
  /** Waits for one of the few slots for large bodies; undefined if one is free now. */
  enlarge(): Promise<void> | undefined
}

const uncounted: LargeBodies = {claim: () => undefined, enlarge: () => undefined}

/**
 * Reads a body on demand, up to a limit. Throws ContentTooLarge as soon as the limit is known to be exceeded, and what
 * its counting throws.
 */
export const bodyReader =
  (request: IncomingMessage, maxBytes: number, {claim, enlarge} = uncounted) =>
  async (): Promise<Uint8Array> => {
    const tooLarge = () => ApiError.of('ContentTooLarge', {message: `The body exceeds the limit of ${maxBytes} bytes.`})
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > maxBytes) throw tooLarge()
    const chunks: Buffer[] = []
    let size = 0
    return new Promise((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        try {
          if (size > maxBytes) throw tooLarge()
          if (size > smallBytes) claim(size)
          chunks.push(chunk)
          // Many that come at once are read piece by piece.
          if (Math.max(size, announced) > smallBytes && size !== announced) {
            request.pause()
            void nextRead().then(() => request.resume())
          }
        } catch (error) {
          request.pause()
          request.removeAllListeners('data')
          chunks.length = 0
          reject(error)
        }
      })
      // Not `once`, which wraps each of them: after the first, settling has no effect.
      request.on('end', () => {
        const body = () => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks.splice(0)))
        const place = size > smallBytes ? enlarge() : undefined
        resolve(place ? place.then(body) : body())
      })
      request.on('error', () => reject(late()))
      request.on('close', () => {
        if (!request.complete) reject(late())
      })
    })
  }

export const mayHaveBody = ({headers}: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const maxDrainedBytes = 32 << 20
const drainMs = 1_000

/**
 * Drains the rest of a refused body, within limits: a client that is still sending would otherwise see a reset
 * connection instead of the error. Undefined if nothing is to come.
 */
export function drained(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete || request.destroyed || !mayHaveBody(request)) return undefined
  return new Promise((resolve) => {
    let size = 0
    let isDone = false
    const timer = setTimeout(done, drainMs)
    function done(): void {
      isDone = true
      clearTimeout(timer)
      request.pause()
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxDrainedBytes) return done()
      if (size <= smallBytes) return
      request.pause()
      void nextRead().then(() => {
        if (!isDone) request.resume()
      })
    })
    request.once('end', done)
    request.once('close', done)
    request.on('error', done)
    request.resume()
  })
}
