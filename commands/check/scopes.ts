import {requestToken} from '../../src/api/oauth/operations.js'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {type CheckStep, runSteps} from '../../src/cli/check/runner.js'
import {callersNamed, missingScopes} from '../../src/cli/command/scopes.js'
import {optionalArgs} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {defined} from '../../src/domain/equal.js'

export default class CheckScopes extends CheckCommand<typeof CheckScopes> {
  static override operations = ['requestToken'] as const
  static override summary = 'Check that the credentials have the scopes of commands'
  static override description =
    'Compares the scopes of the API client with those that each command needs. A topic stands for all its commands. Ends with code 9 if a scope is missing.'
  static override examples = [
    '<%= config.bin %> check scopes "customers get" "messages list"',
    '<%= config.bin %> check scopes customers --json',
  ]
  static override args = {command: optionalArgs('commands or topics; all if absent')}

  async run(): Promise<void> {
    const callers = callersNamed(this.args.command ?? [], this.config)
    const scopes = await this.#held()
    const {projectKey, storeKey} = this.resolved.target
    const target = defined({projectKey, storeKey})
    const missing = await Promise.all(callers.map((caller) => missingScopes(caller, scopes, target)))
    const steps = callers.map(
      ({command}, at): CheckStep<undefined> => [command, async (_, fail) => missing[at]?.forEach(fail)],
    )
    await this.report('scopes', await runSteps(steps, undefined))
  }

  /** The scopes that the API client of the target holds. Throws for a bare token, which does not tell. */
  async #held(): Promise<readonly string[]> {
    if (this.resolved.target.credentials?.kind === 'token') {
      throw unknownScopes('What a bare access token opens cannot be asked with it.')
    }
    const {scope} = await (await this.client()).form(requestToken, {grant_type: 'client_credentials'})
    // Whoever grants all that was asked for need not say so.
    if (typeof scope !== 'string') throw unknownScopes('The target does not tell what its tokens open.')
    return scope.split(' ').filter((text) => text !== '')
  }
}

const unknownScopes = (why: string): Failure =>
  new Failure('denied', 'ScopesUnknown', why, {
    hints: ['Unset FRONTDESK_TOKEN and use an API client, or ask with `frontdesk token introspect`.'],
  })
