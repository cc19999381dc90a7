import {apiKeyFromFlags, keyFlags} from '../../src/cli/input/endpoint-secrets.js'
import {switchFlag} from '../../src/cli/input/flags.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {outliveStrayErrors} from '../../src/cli/process/stray-errors.js'
import {backendOf, keptDigests} from '../../src/cli/server/callback-backend.js'
import {checkedHost, checkedPort, listenFlags} from '../../src/cli/server/flags.js'
import {served} from '../../src/cli/server/served.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {localServer} from '../../src/client/local/local-server.js'
import {defined} from '../../src/domain/equal.js'

export default class CallbackServe extends ServerCommand<typeof CallbackServe> {
  static override summary = 'Serve the callback of an in-store application for tests'
  static override description =
    `GET /cb/<userKey> answers with a token of the customer with that key, {"access_token", "token_type", "expires_in",
"scope"}; GET /cb/<cartId> with the cart; both need the header X-Api-Key. Uses the project of the running local
server, or starts one. Keys are stored as digests: the previous key stays valid beside a new one until --end-rotation.`
  static override examples = ['<%= config.bin %> callback serve --api-key-file callback.key --seed demo']
  static override flags = {
    ...listenFlags,
    ...keyFlags,
    'end-rotation': switchFlag('Accept only the given key from now on.'),
    log: switchFlag('Write one line to stderr for each request, without keys and users.'),
  }

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {'end-rotation': endRotation} = this.flags
    const [host, port] = [checkedHost(this.flags.host), checkedPort(this.flags.port)]
    const print = this.output.stream(listeningLine, true)
    const key = await apiKeyFromFlags(this.flags, this.io)
    await this.effect({
      at: 'machine',
      plan: () => [{projectKey}, `would serve the callback of '${projectKey}', and keep the digest of its key`],
      act: () => this.#served({host, port}, keptDigests(dataDir, projectKey, key, endRotation), print),
    })
  }

  async #served(at: At, digests: readonly string[], print: (listening: Listening) => Promise<void>): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {seed, log} = this.flags
    const stop = interruption()
    outliveStrayErrors((error) => this.stderr(`no request: ${error instanceof Error ? error.stack : String(error)}`))
    const {connect, startCallback, startServer} = await import('../../src/index.js')
    const running = await localServer(dataDir)
    const own = running ? undefined : await startServer({dataDir, projectKey, ...defined({seedDir: seed})})
    const origin = running?.origin ?? own?.apiUrl ?? ''
    const client = await connect({kind: 'embedded', dataDir, projectKey})
    try {
      const backend = backendOf(client, dataDir, origin)
      const callback = await startCallback({
        backend,
        keyDigests: () => digests,
        ...at,
        ...(log ? {onRequest: (line) => this.stderr(JSON.stringify(line))} : {}),
      })
      const {url} = callback
      await served({
        announce: () => print({url, apiUrl: origin, projectKey, pid: process.pid, keys: digests.length}),
        until: stop,
        stop: () => callback.stop(),
      })
    } finally {
      await client.close()
      await own?.stop()
    }
  }
}

interface At {
  readonly host: string
  readonly port: number
}

interface Listening {
  readonly url: string
  readonly apiUrl: string
  readonly projectKey: string
  readonly pid: number
  readonly keys: number
}

const listeningLine = ({url, apiUrl, pid, keys}: Listening): string =>
  `listening on ${url} (process ${pid}), ${keys} keys valid, API at ${apiUrl}`
