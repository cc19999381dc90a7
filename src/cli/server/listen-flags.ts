import {Flags} from '@oclif/core'
import {reachOf} from '../../domain/network-reach.js'
import {textFlag} from '../input/flags.js'
import {usage} from '../process/failure.js'
import {checkedAddress} from './reach-flags.js'

export const listenFlags = {
  host: Flags.string({
    helpValue: 'ADDRESS',
    default: '127.0.0.1',
    summary: 'Loopback address to listen on, such as 127.0.0.1.',
  }),
  port: Flags.string({helpValue: 'N', default: '0', summary: 'Port; 0 takes any free one.'}),
  seed: textFlag('demo|DIR', 'Seed pack for the project, if it does not exist yet; demo is built in.'),
}

/** A port number. Throws a usage error for anything else. */
export function checkedPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw usage(`'${text}' is not a port.`, 'Use a number from 0 to 65535; 0 takes any free one.')
}

/** A loopback address. Throws usage for any other, since the server speaks plain HTTP. */
export function checkedHost(host: string): string {
  const plain = checkedAddress(host)
  if (reachOf(plain) === 'loopback') return plain
  throw usage(
    `The server does not listen on ${host}: it speaks plain HTTP, and others could reach it.`,
    'Use 127.0.0.1 or ::1, and a TLS proxy or an SSH tunnel in front of it.',
  )
}
