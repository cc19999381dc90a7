import {Flags} from '@oclif/core'
import type {ServerOptions} from '../../index.js'

const authorizationVariable = 'FRONTDESK_FALLBACK_AUTHORIZATION'

export const fallbackFlag = Flags.string({
  helpValue: 'URL',
  summary: `Another server that gets the requests for paths which this one does not serve. Access tokens stay here; if it wants an Authorization header, set ${authorizationVariable}.`,
})

/** The fallback that a command line and its environment name, as an option of a server. */
export function fallbackOption(
  url: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Pick<ServerOptions, 'fallback'> {
  if (url === undefined) return {}
  const authorization = env[authorizationVariable]
  return {fallback: authorization === undefined || authorization === '' ? {url} : {url, authorization}}
}
