import {type ByProjectKeyRequestBuilder, createApiBuilderFromCtpClient} from '@commercetools/platform-sdk'
import {ClientBuilder} from '@commercetools/ts-client'
import {startServer} from '../../src/index.js'

const projectKey = 'demo'

/** A demo server, and the public SDK's clients of it by the flow that gets their token. */
export interface SdkDesk {
  /** A client with `manage_project`. */
  readonly project: ByProjectKeyRequestBuilder
  readonly clientWith: (...scopes: string[]) => ByProjectKeyRequestBuilder
  readonly sessionOf: (username: string, password: string) => ByProjectKeyRequestBuilder
  readonly visitor: (anonymousId: string) => ByProjectKeyRequestBuilder
  stop(): Promise<void>
}

export async function openSdkDesk(): Promise<SdkDesk> {
  const server = await startServer({
    dataDir: ':memory:',
    projectKey,
    seedDir: 'fixtures/demo',
    settings: {passwordCost: 4},
  })
  const {clientId, clientSecret} = server.client
  const credentials = {clientId, clientSecret}
  const base = {host: server.authUrl, projectKey, credentials, httpClient: fetch}
  const rootOf = (builder: ClientBuilder) =>
    createApiBuilderFromCtpClient(
      builder.withHttpMiddleware({host: server.apiUrl, httpClient: fetch}).build(),
    ).withProjectKey({projectKey})
  const clientWith = (...scopes: string[]) => rootOf(new ClientBuilder().withClientCredentialsFlow({...base, scopes}))
  return {
    project: clientWith('manage_project:demo'),
    clientWith,
    sessionOf: (username, password) =>
      rootOf(
        new ClientBuilder().withPasswordFlow({...base, credentials: {...credentials, user: {username, password}}}),
      ),
    visitor: (anonymousId) =>
      rootOf(new ClientBuilder().withAnonymousSessionFlow({...base, credentials: {...credentials, anonymousId}})),
    stop: () => server.stop(),
  }
}
