import {Args} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {checkScopes, heldScopes} from '../../src/cli/check/scopes.js'
import {callersNamed} from '../../src/cli/command/scopes.js'

export default class CheckScopes extends CheckCommand<typeof CheckScopes> {
  static override operations = ['requestToken'] as const
  static override summary = 'Check that the credentials have the scopes of commands'
  static override description =
    'Compares the scopes of the API client with those that each command needs. A topic stands for all its commands. Ends with code 9 if a scope is missing.'
  static override examples = [
    '<%= config.bin %> check scopes "customers get" "messages list"',
    '<%= config.bin %> check scopes customers --json',
  ]
  static override args = {
    command: Args.string({multiple: true, ignoreStdin: true, description: 'commands or topics; all if absent'}),
  }

  async run(): Promise<void> {
    const callers = callersNamed(this.args.command ?? [], this.config)
    const {resolved} = this
    const scopes = await heldScopes(await this.client(), resolved)
    await this.report('scopes', await checkScopes(callers, scopes, resolved.target))
  }
}
