import {Args, type Command, type Config} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {topics} from '../src/cli/command/help-topics.js'
import {commandIdOf} from '../src/cli/command/synonyms.js'
import {globalFlags} from '../src/cli/input/flags.js'
import type {Folders} from '../src/cli/target/folders.js'
import {readProfiles} from '../src/cli/target/profiles.js'
import {jobsFolder} from '../src/cli/target/settings.js'

/** Scripts that ask the program itself, word by word, what may follow: it knows its commands better than a table. */
const scripts = {
  bash: `_frontdesk() {
  local words=() word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ "$word" = '=' ]; then words[-1]+='='; elif [[ \${#words[@]} -gt 0 && \${words[-1]} = *= ]]; then words[-1]+=$word; else words+=("$word"); fi
  done
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" completion bash -- "\${words[@]}" 2>/dev/null)" -- "\${words[-1]#*=}"))
}
complete -o default -F _frontdesk frontdesk
`,
  zsh: `_frontdesk() {
  local offered=(\${(f)"$($words[1] completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [ -n "$offered" ]; then compadd -- $offered; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _frontdesk frontdesk
`,
  fish: `function __frontdesk
  set -l words (commandline -opc) (commandline -ct)
  set -l offered ($words[1] completion fish -- $words[2..] 2>/dev/null)
  if test -n "$offered"
    printf '%s\\n' $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c frontdesk -f -a '(__frontdesk)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName frontdesk -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
  & $words[0] completion powershell -- @($words | Select-Object -Skip 1) "$wordToComplete" 2>$null |
    Where-Object { $_.StartsWith($wordToComplete) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`,
} as const

export default class Completion extends BaseCommand<typeof Completion> {
  static override uses = [] as const
  static override shows = 'installation' as const
  static override summary = 'Print a script that completes commands, flags and values in a shell'
  static override description =
    'bash: eval "$(frontdesk completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc; fish: frontdesk completion fish | source; PowerShell: frontdesk completion powershell | Out-String | Invoke-Expression in $PROFILE. It also offers profiles, jobs, saved sessions, stores of profiles and types of messages.'
  static override examples = ['<%= config.bin %> completion bash']
  static override args = {
    shell: Args.string({required: true, ignoreStdin: true, options: Object.keys(scripts), description: 'the shell'}),
    words: Args.string({multiple: true, hidden: true, ignoreStdin: true, description: 'the words typed so far'}),
  }

  async run(): Promise<void> {
    const {words} = this.args
    const {folders, config} = this
    const shell = this.args.shell as keyof typeof scripts
    if (words !== undefined && words.length > 0) {
      const {before, offer} = candidatesFor(words, config)
      const values = typeof offer === 'string' ? await offersOf(offer, folders) : offer
      // bash breaks words at `=`.
      await this.output.text(values.map((value) => `${shell === 'bash' ? '' : before}${value}\n`).join(''))
    } else await this.output.text(scripts[shell])
  }
}

/** Kinds of values that only this machine knows. */
export type Kind = 'profiles' | 'sessions' | 'stores' | 'jobs' | 'message types'

/** Words to offer, or the kind of them; nothing leaves it to the shell, which offers files. */
export type Offer = readonly string[] | Kind

/** Flags whose values this machine knows, whatever the command. */
export const flagKinds: Readonly<Record<string, Kind>> = {
  ...{profile: 'profiles', 'confirm-profile': 'profiles', from: 'profiles', to: 'profiles', type: 'message types'},
  ...{saved: 'sessions'},
  ...{store: 'stores', 'in-store': 'stores', 'add-store': 'stores', 'remove-store': 'stores'},
}

/** Arguments whose values this machine knows, by the topic or command and the name of the argument. */
export const argumentKinds: Readonly<Record<string, Kind>> = {
  ...{'profiles name': 'profiles', 'login name': 'profiles', 'logout name': 'profiles'},
  ...{'token name': 'sessions', 'jobs job': 'jobs'},
}

interface Flag {
  readonly type: string
  readonly char?: string
  readonly options?: readonly string[]
  readonly hidden?: boolean
}

const namesOf = ([name, {char}]: readonly [string, Flag]): string[] => [`--${name}`, ...(char ? [`-${char}`] : [])]

/** What may stand in the place of the last of the words, which is being typed; `before` goes in front of each. */
export function candidatesFor(
  words: readonly string[],
  config: Config,
): {readonly before: string; readonly offer: Offer} {
  const current = words.at(-1) ?? ''
  const [, before = '', inline] = /^((--[^=]+)=)/.exec(current) ?? []
  let id = ''
  let isHelp = false
  let flag: readonly [string, Flag] | undefined
  let flags: (readonly [string, Flag])[] = Object.entries<Flag>(globalFlags)
  const find = (word: string | undefined) =>
    flags.find((one) => one[1].type === 'option' && word !== undefined && namesOf(one).includes(word))
  for (const word of words.slice(0, -1)) {
    if (flag) flag = undefined
    else if (word.startsWith('-')) flag = find(word)
    else if (word === 'help' && id === '') isHelp = true
    else {
      id = commandIdOf(id, word, config) ?? id
      flags = [...Object.entries<Flag>(globalFlags), ...Object.entries<Flag>(config.findCommand(id)?.flags ?? {})]
    }
  }
  flag = inline === undefined ? flag : find(inline)
  if (flag) return {before, offer: flag[1].options ?? flagKinds[flag[0]] ?? []}
  if (current.startsWith('-')) return {before, offer: flags.filter(([, {hidden}]) => !hidden).flatMap(namesOf)}
  const command = config.findCommand(id)
  if (command) return {before, offer: argumentOf(command)}
  const depth = id === '' ? 0 : id.split(':').length
  const below = config.commandIDs
    .filter((one) => depth === 0 || one.startsWith(`${id}:`))
    .map((one) => one.split(':')[depth] ?? '')
  const help = depth > 0 ? [] : isHelp ? [...topics.keys()] : ['help']
  return {before, offer: [...new Set([...below, ...help])]}
}

function argumentOf({id, args}: Command.Loadable): Offer {
  for (const [name, {options}] of Object.entries(args)) {
    const offer =
      options ?? argumentKinds[`${id.replaceAll(':', ' ')} ${name}`] ?? argumentKinds[`${id.split(':')[0]} ${name}`]
    if (offer) return offer
  }
  return []
}

/** The values of a kind that this machine knows, for completion. Nothing is asked of a server. */
async function offersOf(kind: Kind, folders: Folders): Promise<readonly string[]> {
  switch (kind) {
    case 'profiles':
      return [...readProfiles(folders.config).byName.keys()]
    case 'sessions': {
      const {allSessions} = await import('../src/cli/tokens/sessions.js')
      return [...allSessions(folders.cache).keys()]
    }
    case 'jobs': {
      const {jobNames} = await import('../src/transfer/jobs/jobs.js')
      return jobNames(jobsFolder(folders))
    }
    case 'message types': {
      const {messageTypes} = await import('../src/cli/messages/select.js')
      return messageTypes()
    }
    case 'stores':
      return [...new Set([...readProfiles(folders.config).byName.values()].flatMap(({store}) => store ?? []))]
  }
}
