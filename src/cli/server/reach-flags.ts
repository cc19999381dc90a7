import {readFileSync} from 'node:fs'
import {Flags} from '@oclif/core'
import {defined} from '../../domain/equal.js'
import {reachOf} from '../../domain/network-reach.js'
import {type Given, textFlag, textsFlag} from '../input/flags.js'
import {readSecretFile} from '../input/secret-inputs.js'
import {usage} from '../process/failure.js'
import {whyNot} from '../process/system-errors.js'

/** Who reaches a local server, and how: flags of `server start`. */

export const reachFlags = {
  'insecure-http': Flags.boolean({
    exclusive: ['tls-cert', 'tls-key'],
    summary: 'Serve plain HTTP to other machines: everybody on the network path can read secrets and tokens.',
  }),
  'tls-cert': textFlag('FILE', 'Serve HTTPS with this certificate (PEM, with the chain).', {dependsOn: ['tls-key']}),
  'tls-key': textFlag('FILE', 'The private key of the certificate (PEM), in a file that only you can read.', {
    dependsOn: ['tls-cert'],
  }),
  'allowed-host': textsFlag(
    'NAME[:PORT]',
    'Also answer requests that name this host (repeatable; `:*` is any port); others get 403.',
  ),
  'public-url': textFlag('URL', 'Address that clients use, if the server is behind a proxy or a published port.'),
}

export type ReachFlags = Given<typeof reachFlags>

/** The flags as options of `startServer`. Throws usage for plain HTTP that nobody asked for, StatePermissions for an open key. */
export function reachOptions(host: string, flags: ReachFlags) {
  const {'insecure-http': insecure, 'tls-cert': cert, 'tls-key': key, 'public-url': publicUrl} = flags
  const allowedHosts = flags['allowed-host']
  const tls = cert === undefined || key === undefined ? undefined : {cert: certificate(cert), key: readSecretFile(key)}
  if (!tls && !insecure && reachOf(host) !== 'loopback') {
    throw usage(
      `The server does not listen on ${host}: it speaks plain HTTP, and other machines reach it there.`,
      'Add --tls-cert and --tls-key, or say --insecure-http if the network may read secrets and tokens; or use 127.0.0.1.',
    )
  }
  return {host, ...defined({tls, publicUrl, allowedHosts}), ...(insecure ? {insecureHttp: true as const} : {})}
}

function certificate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usage(`The certificate ${path} cannot be read: ${whyNot(error)}.`, 'Check the path.')
  }
}

/** A literal address of this machine, without brackets. Throws usage for a name, which may stand for several. */
export function checkedAddress(host: string): string {
  const plain = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  if (reachOf(plain) !== undefined) return plain
  throw usage(`'${host}' is no address to listen on.`, 'Use an address of this machine, such as 127.0.0.1 or 0.0.0.0.')
}
