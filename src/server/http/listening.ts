import type {AddressInfo, Server} from 'node:net'
import {StateError} from '../../domain/errors.js'

/**
 * Resolves once the server listens. Throws StateError for a port that is in use or not permitted. A later error, such
 * as too many open files at an accept, does not end the server.
 */
export function listening(
  server: Server,
  host: string,
  port: number,
  onError: (error: Error) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const notOpened = (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${error.code ?? error.message})`
      const remedy = 'Choose another with --port, or stop what listens there'
      reject(
        new StateError('StateUnusable', `The port ${port} of ${host} ${reason}.`, `${host}:${port}`, remedy, {
          cause: error,
        }),
      )
    }
    server.once('error', notOpened)
    server.listen(port, host, () => {
      server.off('error', notOpened)
      server.on('error', onError)
      resolve()
    })
  })
}

/** Addresses that stand for all of a machine's; a client connects to none of them. */
const wildcards: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Where a program of this machine finds a listening server. */
export function originOf(server: Server): string {
  const {address, family, port} = server.address() as AddressInfo
  const host = wildcards.get(address) ?? address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}

/** Whether a server that listens there is reached by the loopback address as well. */
export const coversLoopback = (host: string): boolean => wildcards.has(host)
