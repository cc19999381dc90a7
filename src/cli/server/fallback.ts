import {Flags, type Interfaces} from '@oclif/core'
import type {ServerOptions} from '../../index.js'

const authorizationVariable = 'FRONTDESK_FALLBACK_AUTHORIZATION'

export const fallbackFlags = {
  fallback: Flags.string({
    helpValue: 'URL',
    summary: `Another server that gets the requests for paths which this one does not serve. Access tokens, cookies and API keys stay here; if it wants an Authorization header, set ${authorizationVariable}.`,
  }),
  'fallback-cookies': Flags.boolean({
    dependsOn: ['fallback'],
    summary: 'Hand on cookies and API keys too.',
  }),
}

/** The fallback that a command line and its environment name, as an option of a server. */
export function fallbackOption(
  {fallback: url, 'fallback-cookies': cookies}: Partial<Interfaces.InferredFlags<typeof fallbackFlags>>,
  env: Readonly<Record<string, string | undefined>>,
): Pick<ServerOptions, 'fallback'> {
  if (url === undefined) return {}
  const authorization = env[authorizationVariable]
  return {fallback: {url, ...(authorization ? {authorization} : {}), ...(cookies ? {cookies} : {})}}
}
