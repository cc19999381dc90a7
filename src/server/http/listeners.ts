import type {Server} from 'node:http'
import {isLoopback} from './bind.js'
import {httpFront} from './front.js'
import {coversLoopback, listening, originOf} from './listening.js'
import type {FrontOptions} from './serve.js'

/** The listeners of one server. */
export interface Listeners {
  /** The address it listens on, as a program of this machine writes it. */
  readonly origin: string
  /** Where commands of this machine reach it and its administration: over loopback. */
  readonly localOrigin: string
  /** Answers what has begun, and resolves when the ports are free. */
  close(): Promise<void>
}

interface ListenOptions extends FrontOptions {
  readonly host: string
  readonly port: number
}

const drainMs = 5_000

/**
 * Listens at the given address. Commands of this machine administer the server over loopback, so one that listens only
 * on an address of a network gets a port of its own for them. Throws StateError.
 */
export async function listen({host, port, ...options}: ListenOptions): Promise<Listeners> {
  const onError = (error: Error) => options.onFault?.(error, '')
  const front = httpFront(options)
  await listening(front, host, port, onError)
  const origin = originOf(front)
  if (isLoopback(host) || coversLoopback(host)) {
    return {origin, localOrigin: origin, close: () => drained(front)}
  }
  const local = httpFront(options)
  try {
    await listening(local, '127.0.0.1', 0, onError)
  } catch (error) {
    await drained(front)
    throw error
  }
  const close = async () => void (await Promise.all([drained(front), drained(local)]))
  return {origin, localOrigin: originOf(local), close}
}

/** No new request; the begun ones are answered, within bounds. */
async function drained(front: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => front.close(() => resolve()))
  front.closeIdleConnections()
  const timer = setTimeout(() => front.closeAllConnections(), drainMs)
  await closed
  clearTimeout(timer)
}
