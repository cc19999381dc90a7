import {Flags} from '@oclif/core'
import {optionalArg, switchFlag} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {followRequests, requestLine, requestsOf, requestView} from '../../src/cli/server/requests.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'

export default class ServerRequests extends ServerCommand<typeof ServerRequests> {
  static override shows = 'people' as const
  static override summary = 'Show the last requests to the running server, and why they were refused'
  static override description =
    `Shows the last thousand requests: client and scopes, the answer, which check failed, and what would pass. An id
(X-Correlation-ID, or the number of a request) shows one request in full. The server keeps them in memory, with queries and
bodies only if it was started with --keep-bodies, and never with secrets. --project-key selects the requests of one project.`
  static override examples = [
    '<%= config.bin %> server requests --refused',
    '<%= config.bin %> server requests 17',
    '<%= config.bin %> server requests --follow -o jsonl',
  ]
  static override args = {id: optionalArg('a correlation id, or the number of a request')}
  static override flags = {
    follow: switchFlag('Print requests as they end, until interrupted.'),
    refused: switchFlag('Only requests that were refused or failed.'),
    limit: Flags.integer({
      char: 'n',
      helpValue: 'N',
      min: 1,
      max: 1000,
      default: 20,
      summary: 'Largest number of requests.',
    }),
  }

  async run(): Promise<void> {
    const {dataDir} = this.local
    const {refused, limit, follow} = this.flags
    const {id} = this.args
    const query = defined({id, projectKey: this.flags['project-key'], refused: refused || undefined})
    if (follow) return this.#follow(dataDir, query)
    const {requests, keepsBodies} = await requestsOf(dataDir, {...query, limit})
    if (id === undefined) {
      await this.output.page({count: requests.length, results: requests.toReversed()}, requestView)
      return
    }
    const request = requests.at(-1)
    if (!request) {
      throw new Failure('notFound', 'NoSuchRequest', `The server remembers no request '${id}'.`, {
        hints: ['It keeps the last thousand: `frontdesk server requests`.'],
      })
    }
    await this.output.document(request, requestView)
    if (!keepsBodies) this.say('bodies are not kept; `server start --keep-bodies` keeps them')
  }

  async #follow(dataDir: string, query: object): Promise<void> {
    const print = this.output.stream(requestLine)
    for await (const request of followRequests(dataDir, {query, intervalMs: 300, signal: interruption()})) {
      await print(request)
    }
  }
}
