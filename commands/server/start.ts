import {Flags} from '@oclif/core'
import {switchFlag, textFlag} from '../../src/cli/input/flags.js'
import {type Receiver, receiverOf} from '../../src/cli/messages/receiver.js'
import {Failure} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {outliveStrayErrors} from '../../src/cli/process/stray-errors.js'
import {type Listening, startDetached} from '../../src/cli/server/detached.js'
import {
  checkedAddress,
  checkedPort,
  fallbackFlags,
  fallbackOption,
  isFreePort,
  keepPort,
  lastPort,
  listenFlags,
  reachFlags,
  reachOptions,
  storeUrlOf,
} from '../../src/cli/server/flags.js'
import {forwardFlags, forwarding} from '../../src/cli/server/forwarding.js'
import {openWindow} from '../../src/cli/server/open.js'
import {served} from '../../src/cli/server/served.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {checkedLink} from '../../src/cli/target/addresses.js'
import {profileFlags} from '../../src/cli/target/profile-flags.js'
import {defined} from '../../src/domain/equal.js'
import {StateError} from '../../src/domain/errors.js'

/** The failure of a server that can no longer write; it ends so that a supervisor notices. */
const stoppedBy = (error: Error, dataDir: string): Failure =>
  new Failure('localState', error instanceof StateError ? error.code : 'StateUnusable', 'The server has ended.', {
    hints: [`Nothing could be written to ${dataDir} any more: ${error.message}. Everything acknowledged is saved.`],
  })

type Announce = (server: Listening) => Promise<void>

export default class ServerStart extends ServerCommand<typeof ServerStart> {
  static override summary = 'Start the local server'
  static override description =
    `Serves the API and the authorization service at one address, by default on loopback, until it is stopped. It answers
requests whose Host is that address, localhost, the host of --public-url or an --allowed-host. A server that other machines can
reach accepts no seed pack, faults or clock, and only this machine can administer it. With --json it prints one line once it
accepts requests.`
  static override examples = [
    '<%= config.bin %> server start --seed demo --detach',
    '<%= config.bin %> server start --port 8080 --json',
    '<%= config.bin %> server start --port 8080 --allowed-origin http://localhost:5173',
    '<%= config.bin %> server start --host 0.0.0.0 --insecure-http --allowed-host shop.test --public-url http://shop.test:8080 --port 8080',
    '<%= config.bin %> server start --forward-messages http://localhost:3000/hooks',
    '<%= config.bin %> server start --project-key shop --fallback http://127.0.0.1:8989',
    '<%= config.bin %> server start --project-key shop --store-url postgres://clerk@db.example/frontdesk',
  ]
  static override flags = {
    ...listenFlags,
    host: Flags.string({
      helpValue: 'ADDRESS',
      default: '127.0.0.1',
      summary: 'Address to listen on; one beyond loopback, such as 0.0.0.0, needs --insecure-http.',
    }),
    ...reachFlags,
    'store-url': textFlag(
      'URL',
      'PostgreSQL database that keeps the state; with a password, set FRONTDESK_STORE_URL instead.',
    ),
    force: switchFlag(
      'Take the folder over from a process in another container or on another machine. Make sure that it has ended.',
    ),
    ...fallbackFlags,
    ...forwardFlags,
    'reset-link': profileFlags['reset-link'],
    'verify-link': profileFlags['verify-link'],
    open: switchFlag('Open a window into the server in a browser, as `server open` does.'),
    detach: switchFlag('Run in the background; the command returns once the server accepts requests.'),
    'keep-bodies': switchFlag('Keep queries and bodies for `server requests`, in memory and without secrets.'),
    log: switchFlag('Write one line to stderr for each request.'),
  }

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const listening = reachOptions(checkedAddress(this.flags.host), this.flags)
    checkedPort(this.flags.port)
    const storeUrl = storeUrlOf(this.flags['store-url'], this.io.env)
    const to = this.flags['forward-messages']
    const receiver =
      to === undefined ? undefined : receiverOf(to, '--forward-messages', 'platform', undefined, this.io.env)
    const print = this.output.stream(listeningLine(this.commandLine(['server', 'env'])), true)
    const announce: Announce = ({apiUrl, authUrl, projectKey: key, pid}) =>
      print({apiUrl, authUrl, projectKey: key, pid})
    await this.effect({
      at: 'machine',
      plan: () => [{dataDir, projectKey}, `would serve '${projectKey}' in ${storeUrl ? 'a database' : dataDir}`],
      act: () =>
        this.flags.detach ? this.#detached(dataDir, announce) : this.#served(listening, {storeUrl, receiver}, announce),
    })
  }

  async #served(
    listening: ReturnType<typeof reachOptions>,
    {storeUrl, receiver}: {readonly storeUrl: string | undefined; readonly receiver: Receiver | undefined},
    announce: Announce,
  ): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {profile} = this.resolved
    const stop = interruption()
    const {faultLog, startServer} = await import('../../src/index.js')
    const onFault = faultLog((line) => this.stderr(line))
    outliveStrayErrors((error) => onFault(error, 'no request:'))
    const fatal = new AbortController()
    const last = this.flags.port === undefined ? lastPort(dataDir) : undefined
    const isTaken = last !== undefined && !(await isFreePort(listening.host, last))
    const server = await startServer({
      dataDir,
      projectKey,
      ...listening,
      port: isTaken ? 0 : (last ?? checkedPort(this.flags.port)),
      ...defined({storeUrl, seedDir: this.flags.seed}),
      force: this.flags.force,
      // The pages of the shop: of the command line, or of a profile of this machine.
      ...defined({
        resetLink: checkedLink(this.flags['reset-link'], '--reset-link') ?? profile.resetLink,
        verifyLink: checkedLink(this.flags['verify-link'], '--verify-link') ?? profile.verifyLink,
      }),
      ...fallbackOption(this.flags, this.io.env),
      keepBodies: this.flags['keep-bodies'],
      ...(this.flags.log ? {onRequest: (line: object) => this.stderr(JSON.stringify(line))} : {}),
      onFault,
      onFatal: (error: Error) => fatal.abort(error),
      onWarning: (message: string) => this.stderr(message),
    })
    let endForwarding: (() => Promise<void>) | undefined
    await served({
      announce: async () => {
        if (receiver) endForwarding = await forwarding(this, server, receiver, this.flags.log)
        // A port that is taken for now stays the folder's.
        if (this.flags['public-url'] === undefined && !isTaken) this.#keepPort(server.apiUrl)
        if (isTaken) this.#sayTaken(last)
        if (server.seeded)
          this.say(server.seeded.seeded ? 'seeded the project' : 'the project is not empty; the seed was skipped')
        await announce(server)
        await this.#open()
      },
      until: AbortSignal.any([stop, fatal.signal]),
      stop: async () => {
        await endForwarding?.()
        await server.stop()
      },
    })
    const broken = fatal.signal.reason as Error | undefined
    if (broken) throw stoppedBy(broken, dataDir)
  }

  async #open(): Promise<void> {
    if (this.flags.open) this.say(await openWindow(this.local, this.io))
  }

  /** The next start only prefers that port. */
  #keepPort(apiUrl: string): void {
    try {
      keepPort(this.local.dataDir, new URL(apiUrl).port)
    } catch (error) {
      this.say(`the next start may take another port, since this one could not be noted: ${(error as Error).message}`)
    }
  }

  #sayTaken(last: number): void {
    this.say(`another program has port ${last}, the one of the last start: addresses change until it is free`)
  }

  async #detached(dataDir: string, announce: Announce): Promise<void> {
    const {port, 'public-url': publicUrl} = this.flags
    const last = port === undefined && publicUrl === undefined ? lastPort(dataDir) : undefined
    const self = [...process.execArgv, process.argv[1] ?? '']
    const server = await startDetached([...self, 'server', 'start', ...withoutForm(this.argv), '--json'], dataDir)
    if (last !== undefined && new URL(server.apiUrl).port !== String(last)) this.#sayTaken(last)
    await announce(server)
    await this.#open()
  }
}

const listeningLine = (env: string) => (listening: Listening) =>
  `listening on ${listening.apiUrl}/${listening.projectKey} (process ${listening.pid}); \`${env}\` shows how to use it`

/** The words of a command without those that choose its form, and without --detach. */
function withoutForm(argv: readonly string[]): string[] {
  const isForm = (word = ''): boolean => word === '-o' || word === '--output'
  const isLeftOut = (word: string): boolean =>
    ['--detach', '--json', '--open'].includes(word) || /^(-o.|--output=)/.test(word)
  return argv.filter((word, index) => !isLeftOut(word) && !isForm(word) && !isForm(argv[index - 1]))
}
