import {Flags} from '@oclif/core'
import {headerFlags, headerFromFlags} from '../../src/cli/input/endpoint-secrets.js'
import {numberFlag, switchFlag, textFlag} from '../../src/cli/input/flags.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {usage} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {checkedHost, checkedPort, listenFlags} from '../../src/cli/server/flags.js'
import {served} from '../../src/cli/server/served.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'
import type {startIntrospectionStub} from '../../src/index.js'

const {host, port} = listenFlags

type StubOptions = Parameters<typeof startIntrospectionStub>[0]

export default class IntrospectionServe extends ServerCommand<typeof IntrospectionServe> {
  static override summary = 'Serve an introspection endpoint for tests'
  static override description =
    `Stands in for another authorization server: tokens that begin with 'active' are active with the given scopes, others are
not. It can be slow or broken on purpose. The update action setExternalOAuth connects a project to it.`
  static override examples = [
    '<%= config.bin %> introspection serve --port 8090 --scope "view_customers:local"',
    '<%= config.bin %> introspection serve --delay 600ms',
    '<%= config.bin %> introspection serve --status 500',
  ]
  static override flags = {
    host,
    port,
    ...headerFlags,
    scope: textFlag('TEXT', 'Scopes of an active token; view_customers of the project if absent.'),
    inactive: switchFlag('No token is active.', {exclusive: ['scope']}),
    'expires-in': Flags.string({helpValue: '30m', default: '30m', summary: 'Lifetime that `exp` states.'}),
    status: numberFlag('Answer every request with this status.', {min: 200, max: 599}),
    delay: textFlag('600ms', 'Wait before each answer.'),
    log: switchFlag('Write one line to stderr for each request, without tokens.'),
  }

  async run(): Promise<void> {
    const {inactive, scope, status, delay, log} = this.flags
    const {projectKey} = this.local
    const [address, number] = [checkedHost(this.flags.host), checkedPort(this.flags.port)]
    const expiresInSeconds = Math.round(durationMs(this.flags['expires-in'], '--expires-in') / 1000)
    if (scope?.trim() === '') throw usage('--scope is empty.', 'Name scopes, or use --inactive.')
    const authorization = await headerFromFlags(this.flags, this.io)
    const print = this.output.stream(({url, pid}: Listening) => `listening on ${url} (process ${pid})`, true)
    await this.effect({
      at: 'machine',
      plan: () => [{}, 'would serve an introspection endpoint'],
      act: () =>
        this.#served(print, {
          host: address,
          port: number,
          expiresInSeconds,
          ...(inactive ? {} : {scope: scope ?? `view_customers:${projectKey}`}),
          ...defined({authorization, status}),
          ...(delay === undefined ? {} : {delayMs: durationMs(delay, '--delay')}),
          ...(log ? {onRequest: (line: object) => this.stderr(JSON.stringify(line))} : {}),
        }),
    })
  }

  async #served(print: (listening: Listening) => Promise<void>, options: StubOptions): Promise<void> {
    const stop = interruption()
    const {startIntrospectionStub} = await import('../../src/index.js')
    const stub = await startIntrospectionStub(options)
    await served({announce: () => print({url: stub.url, pid: process.pid}), until: stop, stop: () => stub.stop()})
  }
}

interface Listening {
  readonly url: string
  readonly pid: number
}
