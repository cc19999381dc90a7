import {Flags} from '@oclif/core'
import {textFlag} from '../../src/cli/input/flags.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {outliveStrayErrors} from '../../src/cli/process/stray-errors.js'
import {aborted, announce, stoppedBy} from '../../src/cli/server/announce.js'
import {startDetached} from '../../src/cli/server/detach.js'
import {fallbackFlags, fallbackOption} from '../../src/cli/server/fallback.js'
import {openWindow} from '../../src/cli/server/open.js'
import {checkedAddress, checkedPort, listenFlags, reachFlags, reachOptions} from '../../src/cli/server/reach-flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {storeUrlOf} from '../../src/cli/server/store-url.js'
import {ranAsWorker, sharedStore, startWorkers, workersFlag} from '../../src/cli/server/workers.js'
import {checkedLink} from '../../src/cli/target/addresses.js'
import {profileFlags} from '../../src/cli/target/profile-flags.js'
import {defined} from '../../src/domain/equal.js'

interface Served {
  readonly reach: ReturnType<typeof reachOptions>
  readonly port: ReturnType<typeof checkedPort>
  readonly storeUrl: ReturnType<typeof storeUrlOf>
  readonly shared: ReturnType<typeof sharedStore>
}

export default class ServerStart extends ServerCommand<typeof ServerStart> {
  static override shows = 'installation' as const
  static override summary = 'Start the local server'
  static override description =
    `Serves the API and the authorization service at one address, by default on loopback, until it is stopped. It answers
requests whose Host is that address, localhost, the host of --public-url or an --allowed-host. A server that other machines can
reach accepts no seed pack, faults or clock, and only this machine can administer it. With --json it prints one line once it
accepts requests. With --workers, several processes share the port and one database; one that ends is replaced.`
  static override examples = [
    '<%= config.bin %> server start --seed demo --project-key demo --detach',
    '<%= config.bin %> server start --port 8080 --json',
    '<%= config.bin %> server start --host 0.0.0.0 --insecure-http --allowed-host shop.test --public-url http://shop.test:8080 --port 8080',
    '<%= config.bin %> server start --project-key shop --fallback http://127.0.0.1:8989',
    '<%= config.bin %> server start --workers 2 --store-url postgres://clerk@db.example/frontdesk',
  ]
  static override flags = {
    ...listenFlags,
    host: Flags.string({
      helpValue: 'ADDRESS',
      default: '127.0.0.1',
      summary: 'Address to listen on; beyond loopback, such as 0.0.0.0, with --tls-cert or --insecure-http only.',
    }),
    ...reachFlags,
    'store-url': textFlag(
      'URL',
      'PostgreSQL database that keeps the state; with a password, set FRONTDESK_STORE_URL instead.',
    ),
    workers: workersFlag,
    ...fallbackFlags,
    'reset-link': profileFlags['reset-link'],
    'verify-link': profileFlags['verify-link'],
    open: Flags.boolean({summary: 'Open a window into the server in a browser, as `server open` does.'}),
    detach: Flags.boolean({summary: 'Run in the background; the command returns once the server accepts requests.'}),
    'ready-file': textFlag('FILE', 'Also write the line of --json to this file, once the server accepts requests.'),
    'keep-bodies': Flags.boolean({
      summary: 'Keep queries and bodies for `server requests`, in memory and without secrets.',
    }),
    log: Flags.boolean({summary: 'Write one line to stderr for each request.'}),
  }

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {workers} = this.flags
    const reach = reachOptions(checkedAddress(this.flags.host), this.flags)
    const port = checkedPort(this.flags.port)
    const storeUrl = storeUrlOf(this.flags['store-url'], this.io.env)
    const shared = sharedStore(workers, storeUrl)
    await this.effect({
      at: 'machine',
      plan: () => [{dataDir, projectKey}, `would serve '${projectKey}' in ${storeUrl ? 'a database' : dataDir}`],
      act: () => (this.flags.detach ? this.#detached(dataDir) : this.#served({reach, port, storeUrl, shared})),
    })
  }

  async #served({reach, port, storeUrl, shared}: Served): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {workers} = this.flags
    const stop = interruption()
    const {faultLog, startServer} = await import('../../src/index.js')
    const onFault = faultLog((line) => this.stderr(line))
    outliveStrayErrors((error) => onFault(error, 'no request:'))
    let broken: Error | undefined
    let end: (error: Error) => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = (error) => {
        broken = error
        resolve()
      }
    })
    const options = {
      dataDir,
      projectKey,
      ...reach,
      port,
      ...defined({storeUrl, seedDir: this.flags.seed}),
      ...this.#links(),
      ...fallbackOption(this.flags, this.io.env),
      keepBodies: this.flags['keep-bodies'],
      ...(this.flags.log ? {onRequest: (line: object) => this.stderr(JSON.stringify(line))} : {}),
      onFault,
      onFatal: end,
      onWarning: (message: string) => this.stderr(message),
    }
    const several = shared === undefined ? undefined : {...options, storeUrl: shared, workers}
    if (several && (await ranAsWorker(several, stop))) return
    const server = await (several ? startWorkers(several) : startServer(options))
    if (server.seeded)
      this.say(server.seeded.seeded ? 'seeded the project' : 'the project exists; the seed was skipped')
    await announce(server, this.output, this.flags['ready-file'])
    await this.#open()
    await Promise.race([aborted(stop), ended])
    await server.stop()
    if (broken) throw several ? broken : stoppedBy(broken, dataDir)
  }

  /** The pages of the shop: of the command line, or of a profile of this machine. */
  #links() {
    const {resetLink, verifyLink} = this.resolved.profile
    return defined({
      resetLink: checkedLink(this.flags['reset-link'], '--reset-link') ?? resetLink,
      verifyLink: checkedLink(this.flags['verify-link'], '--verify-link') ?? verifyLink,
    })
  }

  async #open(): Promise<void> {
    if (this.flags.open) this.say(await openWindow(this.local, this.io))
  }

  async #detached(dataDir: string): Promise<void> {
    const line = await startDetached(['server', 'start', ...withoutForm(this.argv), '--json'], dataDir)
    await announce(JSON.parse(line) as Parameters<typeof announce>[0], this.output, undefined)
    await this.#open()
  }
}

/** The words of a command without those that choose its form, and without --detach. */
function withoutForm(argv: readonly string[]): string[] {
  const isForm = (word = ''): boolean => word === '-o' || word === '--output'
  const isLeftOut = (word: string): boolean =>
    ['--detach', '--json', '--open'].includes(word) || /^(-o.|--output=)/.test(word)
  return argv.filter((word, index) => !isLeftOut(word) && !isForm(word) && !isForm(argv[index - 1]))
}
