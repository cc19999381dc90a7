import {requestToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import {type Caller, missingScopes} from '../command/scopes.js'
import {Failure} from '../process/failure.js'
import type {ResolvedTarget} from '../target/target.js'
import type {Outcome} from './outcome.js'

/** The scopes that the API client of the target holds. Throws for a bare token, which does not tell. */
export async function heldScopes(client: Client, {target}: ResolvedTarget): Promise<readonly string[]> {
  if (target.credentials?.kind === 'token') {
    throw new Failure('denied', 'ScopesUnknown', 'What a bare access token opens cannot be asked with it.', {
      hints: ['Unset FRONTDESK_TOKEN and use an API client, or ask with `frontdesk token introspect`.'],
    })
  }
  const {scope} = await client.form(requestToken, {grant_type: 'client_credentials'})
  return scope.split(' ').filter((text) => text !== '')
}

/** One check for each command: whether the scopes open every operation that it calls. */
export async function checkScopes(
  callers: readonly Caller[],
  scopes: readonly string[],
  {projectKey, storeKey}: {readonly projectKey: string; readonly storeKey?: string},
): Promise<Outcome[]> {
  const place = {projectKey, ...(storeKey === undefined ? {} : {storeKey})}
  return Promise.all(
    callers.map(async (caller): Promise<Outcome> => {
      const failures = await missingScopes(caller, scopes, place)
      return {name: caller.command, result: failures.length === 0 ? 'passed' : 'failed', durationMs: 0, failures}
    }),
  )
}
