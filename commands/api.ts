import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/base-command.js'
import {writeFlags} from '../src/cli/flags.js'
import {jsonInput} from '../src/cli/json-input.js'
import {checkedRequest, refusalOf} from '../src/cli/raw-call.js'
import {plainView} from '../src/cli/views.js'

export default class Api extends BaseCommand<typeof Api> {
  static override summary = 'Call the API directly'
  static override description =
    'The path is relative to the project: customers/key=ada. Anything but GET and HEAD counts as a write.'
  static override examples = [
    "<%= config.bin %> api GET 'customers?limit=1'",
    '<%= config.bin %> api POST customers/key=ada --body \'{"version":2,"actions":[]}\'',
  ]
  static override args = {
    method: Args.string({required: true, ignoreStdin: true, description: 'GET, HEAD, POST or DELETE'}),
    path: Args.string({required: true, ignoreStdin: true, description: 'path below the project, with its query'}),
  }
  static override flags = {
    body: Flags.string({helpValue: '@FILE|-|JSON', summary: 'The body of a POST.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {method, path, writes} = checkedRequest(this.args.method, this.args.path)
    const body = this.flags.body === undefined ? undefined : await jsonInput(this.flags.body, '--body', this.io)
    if (this.dryRun && writes) {
      await this.output.answer({dryRun: true, method, path}, `would send ${method} ${path}`)
      return
    }
    const client = await this.client()
    const call = async () => {
      const reply = await client.raw(method, `/${client.projectKey}/${path}`, body === undefined ? {} : {body})
      if (reply.status >= 300) throw refusalOf(reply)
      return reply
    }
    const answer = await (writes ? this.write({target: path.split('?')[0] ?? path, actions: [method]}, call) : call())
    if (answer.body === undefined) await this.output.answer({status: answer.status}, `status ${answer.status}`)
    else await this.output.document(answer.body, plainView, 'json')
  }
}
