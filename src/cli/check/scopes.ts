import {requestToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {type Caller, missingScopes} from '../command/scopes.js'
import {Failure} from '../process/failure.js'
import type {ResolvedTarget} from '../target/target.js'
import {type CheckStep, type Run, runSteps} from './runner.js'

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

/** One step for each command: whether the scopes open every operation that it calls. */
export async function checkScopes(
  callers: readonly Caller[],
  scopes: readonly string[],
  {projectKey, storeKey}: {readonly projectKey: string; readonly storeKey?: string},
): Promise<Run> {
  const target = defined({projectKey, storeKey})
  const missing = await Promise.all(callers.map((caller) => missingScopes(caller, scopes, target)))
  return runSteps(
    callers.map(({command}, at): CheckStep<undefined> => [command, async () => ({failures: missing[at] ?? []})]),
    undefined,
  )
}
