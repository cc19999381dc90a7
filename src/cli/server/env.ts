import {type LocalServer, localClient} from '../../client/local/local-server.js'
import {Failure} from '../process/failure.js'
import type {LocalState} from './local-state.js'

/** The environment variables that make commands, and other programs, use a running server. */
export async function serverEnvironment(
  {dataDir, projectKey}: LocalState,
  {origin, publicOrigin = origin}: LocalServer,
): Promise<Readonly<Record<string, string>>> {
  const client = await localClient(dataDir, projectKey)
  if (!client) {
    throw new Failure('notFound', 'NoLocalClient', `The first API client of '${projectKey}' is not known here.`, {
      hints: [`Run: frontdesk server seed --project-key ${projectKey}`],
    })
  }
  return {
    FRONTDESK_API_URL: publicOrigin,
    FRONTDESK_AUTH_URL: publicOrigin,
    FRONTDESK_PROJECT_KEY: projectKey,
    FRONTDESK_CLIENT_ID: client.clientId,
    FRONTDESK_CLIENT_SECRET: client.clientSecret,
  }
}
