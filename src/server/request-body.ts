import type {IncomingMessage} from 'node:http'
import {ApiError} from '../domain/errors.js'

/** Reads a body up to a limit, when asked. Throws ContentTooLarge as soon as the limit is known to be passed. */
export const bodyReader = (request: IncomingMessage, maxBytes: number) => async (): Promise<Uint8Array> => {
  const tooLarge = ApiError.of('ContentTooLarge', {message: `The body exceeds the limit of ${maxBytes} bytes.`})
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) {
        request.pause()
        request.removeAllListeners('data')
        reject(tooLarge)
        return
      }
      chunks.push(chunk)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', () => reject(ApiError.of('RequestTimeout', {message: 'The body did not arrive.'})))
    request.once('close', () => {
      if (!request.complete) reject(ApiError.of('RequestTimeout', {message: 'The body did not arrive.'}))
    })
  })
}
