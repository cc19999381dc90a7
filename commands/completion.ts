import {Args} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {completionScript, shells} from '../src/cli/command/completion.js'
import {globalFlags} from '../src/cli/command/flags.js'
import {defined} from '../src/domain/equal.js'

export default class Completion extends BaseCommand<typeof Completion> {
  static override shows = 'installation' as const
  static override summary = 'Print a script that completes commands and flags in a shell'
  static override description =
    'bash: eval "$(frontdesk completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc; fish: frontdesk completion fish | source.'
  static override examples = ['<%= config.bin %> completion bash']
  static override args = {
    shell: Args.string({required: true, ignoreStdin: true, options: shells, description: 'bash, zsh or fish'}),
  }

  async run(): Promise<void> {
    const commands = this.config.commands
      .filter(({hidden}) => !hidden)
      .map(({id, flags}) => ({
        words: id.replaceAll(':', ' '),
        flags: Object.entries<{char?: string | undefined}>({...globalFlags, ...flags}).map(([name, {char}]) => ({
          name,
          ...defined({char}),
        })),
      }))
    await this.output.text(completionScript(this.args.shell, commands))
  }
}
