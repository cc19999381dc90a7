import {type RunningServer, startServer} from '../../src/index.js'

/** A server with one project, for clients that others wrote. */
export interface Shop {
  readonly server: RunningServer
  readonly id: string
  readonly secret: string
  readonly url: (path: string) => string
  readonly person: () => {readonly email: string; readonly password: string}
}

export async function openShop(): Promise<Shop> {
  const server = await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}})
  const {clientId: id, clientSecret: secret} = server.client
  let people = 0
  return {
    ...{server, id, secret},
    url: (path) => server.apiUrl + path,
    person: () => {
      people += 1
      return {email: `client-${people}@example.com`, password: 'right horse'}
    },
  }
}

/** The message of a failure, of whatever class the client has. */
export const failure = (work: Promise<unknown>): Promise<{readonly [member: string]: unknown}> =>
  work.then(
    () => {
      throw new Error('It should have been refused.')
    },
    (error) => error,
  )
