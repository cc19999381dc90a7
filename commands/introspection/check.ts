import {Args, Flags} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {checkIntrospection} from '../../src/cli/check/introspection.js'
import {givenHeader, headerFlags} from '../../src/cli/input/endpoint-secrets.js'
import {givenSecret} from '../../src/cli/input/secret-inputs.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {checkedUrl} from '../../src/cli/target/addresses.js'

export default class IntrospectionCheck extends CheckCommand<typeof IntrospectionCheck> {
  static override shows = 'installation' as const
  static override summary = 'Check an introspection endpoint as the API uses it'
  static override description =
    `Asks about an unknown token, hostile ones and, with --token-file, one that is active: as a form, with and without
the Authorization header, with a correlation id. Tells which scopes would count, and measures against the 500 ms that the
API waits. https only, except on this machine; redirects are not followed. Ends with code 9 and what failed.`
  static override examples = [
    '<%= config.bin %> introspection check http://127.0.0.1:8090/introspect --authorization-file header.txt --token-file token.txt',
  ]
  static override args = {
    url: Args.string({required: true, ignoreStdin: true, description: 'the introspection endpoint'}),
  }
  static override flags = {
    ...headerFlags,
    'token-file': Flags.string({helpValue: 'FILE', summary: 'A file with a token that is active.'}),
    requests: Flags.integer({helpValue: 'N', min: 1, max: 1000, default: 20, summary: 'How many are measured.'}),
    budget: Flags.string({helpValue: '500ms', default: '500ms', summary: 'What 99 of 100 answers may take.'}),
  }

  async run(): Promise<void> {
    const url = checkedUrl(this.args.url, 'The URL of the introspection endpoint')
    const budgetMs = durationMs(this.flags.budget, '--budget')
    const header = await givenHeader(this.flags, this.io)
    const token = await givenSecret({file: this.flags['token-file']}, this.io)
    const {projectKey} = this.resolved.target
    const {requests} = this.flags
    await this.report('introspection', await checkIntrospection({url, header, token, projectKey, requests, budgetMs}))
  }
}
