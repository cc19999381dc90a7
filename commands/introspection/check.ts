import {Flags} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {checkEndpoint, measureFlags} from '../../src/cli/check/endpoint.js'
import {introspectionSteps} from '../../src/cli/check/introspection.js'
import {headerFlags, headerFromFlags} from '../../src/cli/input/endpoint-secrets.js'
import {requiredArg, textFlag} from '../../src/cli/input/flags.js'
import {secretFromFlags} from '../../src/cli/input/secret-inputs.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {checkedUrl} from '../../src/cli/target/addresses.js'
import type {Subject} from '../../src/cli/target/subject.js'

export default class IntrospectionCheck extends CheckCommand<typeof IntrospectionCheck> {
  static override uses = ['profile', 'project', 'state'] as const
  static override shows = 'installation' as const
  static override summary = 'Check an introspection endpoint as the API uses it'
  static override description =
    `Sends an unknown token, hostile ones and, with --token-file, an active one: as a form, with and without the
Authorization header, with a correlation id. Shows which scopes the API would accept, and compares the time with the API's limit
of 500 ms. Requires https, except on this machine; follows no redirects. Ends with code 9 and lists what failed.`
  static override examples = [
    '<%= config.bin %> introspection check http://127.0.0.1:8090/introspect --authorization-file header.txt --token-file token.txt',
  ]
  static override args = {url: requiredArg('the introspection endpoint')}
  static override flags = {
    ...headerFlags,
    'token-file': textFlag('FILE', 'A file with a token that is active.'),
    ...measureFlags,
    budget: Flags.string({
      helpValue: '500ms',
      default: '500ms',
      summary: 'Longest time that 99 of 100 answers may take.',
    }),
  }

  override get subject(): Subject {
    return {address: this.args.url}
  }

  async run(): Promise<void> {
    const url = checkedUrl(this.args.url, 'The URL of the introspection endpoint')
    const budgetMs = durationMs(this.flags.budget, '--budget')
    const header = await headerFromFlags(this.flags, this.io)
    const token = await secretFromFlags({file: this.flags['token-file']}, this.io)
    const {projectKey} = this.resolved.target
    const {requests} = this.flags
    const on = {url, header, token, projectKey, requests, budgetMs}
    await this.report('introspection', await checkEndpoint(introspectionSteps, on))
  }
}
