/** Completion scripts: all words are written into the script, so that completing starts no process. */

export const shells = ['bash', 'zsh', 'fish']

export interface CompletedCommand {
  /** `customers get` */
  readonly words: string
  readonly summary: string
  readonly flags: readonly {readonly name: string; readonly char?: string}[]
}

export function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fish(commands)
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}` : bash(commands)
}

/** The words that may follow the first words of a command. */
function followers(commands: readonly CompletedCommand[]): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>()
  for (const {words} of [...commands, {words: 'help'}]) {
    const parts = words.split(' ')
    for (const [index, word] of parts.entries()) {
      const prefix = parts.slice(0, index).join(' ')
      next.set(prefix, (next.get(prefix) ?? new Set()).add(word))
    }
  }
  return next
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function bash(commands: readonly CompletedCommand[]): string {
  const words = [...followers(commands)].map(
    ([prefix, next]) => `    ${quoted(prefix)}) words=${quoted([...next].join(' '))} ;;`,
  )
  const flags = commands.map(
    ({words: command, flags: own}) =>
      `    ${quoted(command)}) flags=${quoted(own.map(({name}) => `--${name}`).join(' '))} ;;`,
  )
  return `_frontdesk() {
  local current=\${COMP_WORDS[COMP_CWORD]} typed='' words='' flags='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) break ;; esac
    typed="\${typed:+$typed }$word"
  done
  case $typed in
${words.join('\n')}
  esac
  while [ -n "$typed" ] && [ -z "$flags" ]; do
    case $typed in
${flags.join('\n')}
    esac
    [ -n "$flags" ] || case $typed in *' '*) typed=\${typed% *} ;; *) typed='' ;; esac
  done
  case $current in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o default -F _frontdesk frontdesk
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const seen = (parts: readonly string[]): string =>
    parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ')
  const lines = [...followers(commands)].flatMap(([prefix, next]) => {
    const condition = prefix === '' ? '__fish_use_subcommand' : seen(prefix.split(' '))
    return [...next].map((word) => `complete -c frontdesk -f -n ${quoted(condition)} -a ${quoted(word)}`)
  })
  const flags = commands.flatMap(({words, flags: own}) =>
    own.map(({name, char}) => {
      const short = char === undefined ? '' : ` -s ${char}`
      return `complete -c frontdesk -n ${quoted(seen(words.split(' ')))} -l ${name}${short}`
    }),
  )
  return `${[...lines, ...flags].join('\n')}\n`
}
