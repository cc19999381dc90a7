import {Args} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {candidatesFor} from '../src/cli/command/completion.js'
import {offersOf} from '../src/cli/completion/offers.js'
import {completionScript, shells} from '../src/cli/completion/script.js'
import {beginRecent} from '../src/cli/run/recent.js'
import {beside} from '../src/cli/run/run.js'

export default class Completion extends BaseCommand<typeof Completion> {
  static override shows = 'installation' as const
  static override summary = 'Print a script that completes commands, flags and values in a shell'
  static override description =
    'bash: eval "$(frontdesk completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc; fish: frontdesk completion fish | source; PowerShell: frontdesk completion powershell | Out-String | Invoke-Expression in $PROFILE. From then on, the keys of the customers and stores that commands meet are kept for completion in a private file of the cache, recent.json, and nothing else of them; --redact keeps none.'
  static override examples = ['<%= config.bin %> completion bash']
  static override args = {
    shell: Args.string({required: true, ignoreStdin: true, options: [...shells], description: 'the shell'}),
    words: Args.string({
      multiple: true,
      hidden: true,
      ignoreStdin: true,
      description: 'what was typed, for the scripts',
    }),
  }

  async run(): Promise<void> {
    const {words} = this.args
    const {folders, io, config} = this
    const shell = shells.find((one) => one === this.args.shell)
    if (words !== undefined && words.length > 0) {
      const {before, offer} = candidatesFor(words, config)
      const values = typeof offer === 'string' ? await offersOf(offer, {folders, env: io.env, words}) : offer
      // bash breaks words at `=`.
      await this.output.text(values.map((value) => `${shell === 'bash' ? '' : before}${value}\n`).join(''))
      return
    }
    if (!shell) return
    await beside(this, 'begin to keep keys for completion', () => beginRecent(folders.cache))
    await this.output.text(completionScript(shell))
  }
}
