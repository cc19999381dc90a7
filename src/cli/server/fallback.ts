import type {Interfaces} from '@oclif/core'
import type {ServerOptions} from '../../index.js'
import {textFlag} from '../input/flags.js'

const authorizationVariable = 'FRONTDESK_FALLBACK_AUTHORIZATION'

export const fallbackFlags = {
  fallback: textFlag(
    'URL',
    `Forward requests for paths that this server does not serve to this address, without credentials and cookies; ${authorizationVariable} sets an Authorization header for it.`,
  ),
}

/** The fallback that a command line and its environment name, as an option of a server. */
export function fallbackOption(
  {fallback: url}: Partial<Interfaces.InferredFlags<typeof fallbackFlags>>,
  env: Readonly<Record<string, string | undefined>>,
): Pick<ServerOptions, 'fallback'> {
  if (url === undefined) return {}
  const authorization = env[authorizationVariable]
  return {fallback: {url, ...(authorization ? {authorization} : {})}}
}
