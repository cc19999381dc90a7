import {BaseCommand} from '../src/cli/command/base-command.js'
import {refuseInReading} from '../src/cli/command/idle-flags.js'
import {checkedRequest, confirmRawDeletion, onlyAsks, rawSettlement, sent} from '../src/cli/customers/raw-call.js'
import {requiredArg, textFlag, writeFlags} from '../src/cli/input/flags.js'
import {jsonInput} from '../src/cli/input/json-input.js'
import {plainView} from '../src/cli/output/views.js'

export default class Api extends BaseCommand<typeof Api> {
  // The path decides what is called; these two settle a sign-up whose answer was lost.
  static override operations = [{operations: ['queryCustomers', 'signInCustomer']}] as const
  static override summary = 'Call the API directly'
  static override description =
    'The path is relative to the project: customers/key=ada, or / for the project itself. GET, HEAD, searches and GraphQL queries count as reads, everything else as a write.'
  static override examples = [
    "<%= config.bin %> api GET 'customers?limit=1'",
    '<%= config.bin %> api POST customers/key=ada --body \'{"version":2,"actions":[]}\'',
  ]
  static override args = {
    method: requiredArg('GET, HEAD, POST or DELETE'),
    path: requiredArg('path below the project, with its query'),
  }
  static override flags = {
    body: textFlag('@FILE|-|JSON', 'The body of a POST.'),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const checked = checkedRequest(this.args.method, this.args.path)
    const body = this.flags.body === undefined ? undefined : await jsonInput(this.flags.body, '--body', this.io)
    const request = {...checked, writes: checked.writes && !onlyAsks(checked, body)}
    const {method, path, writes} = request
    if (!checked.writes) refuseInReading(this.given, method, 'body')
    const target = path.split('?')[0] ?? path
    const look = this.commandLine(['api', 'GET', target])
    const answer = writes
      ? await this.effect({
          at: 'target',
          plan: () => [{method, path}, `would send ${method} ${path}`],
          confirm: async () => {
            if (method === 'DELETE') await confirmRawDeletion(await this.client(), path, this.asking)
          },
          act: async (write) => {
            const client = await this.client()
            return write({
              target,
              actions: [method],
              request: () => sent(client, request, body),
              settle: rawSettlement({client, request, body, clock: this.io.clock, look}),
            })
          },
        })
      : await sent(await this.client(), request, body)
    if (!answer) return
    if (answer.body === undefined) await this.output.answer({status: answer.status}, `status ${answer.status}`)
    else await this.output.document(answer.body, plainView, 'json')
  }
}
