import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {globalFlags} from '../src/cli/command/flags.js'
import {topics} from '../src/cli/command/help-topics.js'
import {aliasesOf} from '../src/cli/command/synonyms.js'
import {offersOf} from '../src/cli/completion/offers.js'
import {beginRecent} from '../src/cli/completion/recent.js'
import {completionScript, shells} from '../src/cli/completion/script.js'
import {kinds, type ListedCommand, tablesOf} from '../src/cli/completion/tables.js'
import {messageTypes} from '../src/cli/messages/types.js'
import {usage} from '../src/cli/process/failure.js'

export default class Completion extends BaseCommand<typeof Completion> {
  static override shows = 'installation' as const
  static override summary = 'Print a script that completes commands, flags and values in a shell'
  static override description =
    'bash: eval "$(frontdesk completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc; fish: frontdesk completion fish | source; PowerShell: frontdesk completion powershell | Out-String | Invoke-Expression in $PROFILE. From then on, the keys of the customers and stores that commands meet are kept for completion in a private file of the cache, recent.json, and nothing else of them; --redact keeps none.'
  static override examples = ['<%= config.bin %> completion bash']
  static override args = {
    shell: Args.string({ignoreStdin: true, options: [...shells], description: 'the shell'}),
  }
  static override flags = {
    values: Flags.option({options: kinds, hidden: true, summary: 'Print values, for the scripts.'})(),
    line: Flags.string({hidden: true, dependsOn: ['values'], summary: 'The words before the value.'}),
  }

  async run(): Promise<void> {
    const {values: kind, line = ''} = this.flags
    if (kind !== undefined) {
      const offered = await offersOf(kind, {folders: this.folders, env: this.io.env, line})
      await this.output.text(offered.map((value) => `${value}\n`).join(''))
      return
    }
    const shell = shells.find((one) => one === this.args.shell)
    if (!shell) throw usage('SHELL is missing.', `Name one of ${shells.join(', ')}.`)
    const commands = this.config.commands
      .filter(({hidden}) => !hidden)
      .map((command) => ({...command, hiddenAliases: aliasesOf(command.id, this.config)}) as unknown as ListedCommand)
    const types = (await messageTypes()).map(({type}) => type)
    beginRecent(this.folders.cache)
    await this.output.text(completionScript(shell, tablesOf(commands, globalFlags, [...topics.keys()], {type: types})))
  }
}
