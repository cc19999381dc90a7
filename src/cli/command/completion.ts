/**
 * Completion scripts: all words are written into the script, so that completing starts no process. Each takes the words
 * before the first flag, offers those that may follow them and the flags of the longest command that they begin with, and
 * leaves the rest to the shell, which offers files.
 */

export const shells = ['bash', 'zsh', 'fish']

export interface CompletedCommand {
  /** `customers get` */
  readonly words: string
  readonly flags: readonly {readonly name: string; readonly char?: string}[]
}

export function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  const tables = {next: nextWords(commands), flags: flagsOf(commands)}
  if (shell === 'fish') return fish(tables)
  return shell === 'zsh' ? zsh(tables) : bash(tables)
}

/** What may stand after the words of a line, and the flags of the command that these words are. */
interface Tables {
  readonly next: Table
  readonly flags: Table
}

type Table = readonly (readonly [typed: string, offered: readonly string[]])[]

function nextWords(commands: readonly CompletedCommand[]): Table {
  const next = new Map<string, Set<string>>()
  for (const {words} of [...commands, {words: 'help'}]) {
    const parts = words.split(' ')
    for (const [index, word] of parts.entries()) {
      const prefix = parts.slice(0, index).join(' ')
      next.set(prefix, (next.get(prefix) ?? new Set()).add(word))
    }
  }
  return [...next].map(([typed, words]) => [typed, [...words]])
}

const flagsOf = (commands: readonly CompletedCommand[]): Table =>
  commands.map(({words, flags}) => [
    words,
    flags.flatMap(({name, char}) => (char === undefined ? [`--${name}`] : [`--${name}`, `-${char}`])),
  ])

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const cases = (variable: string, table: Table): string =>
  table.map(([typed, offered]) => `    ${quoted(typed)}) ${variable}=${quoted(offered.join(' '))} ;;`).join('\n')

/** The part that bash and zsh share: computes the lists `following` and `flags` from the words before the cursor. */
const lookUp = (wordsBefore: string, {next, flags}: Tables): string => `  local typed='' following='' flags='' word
  for word in ${wordsBefore}; do
    case $word in -*) break ;; esac
    typed="\${typed:+$typed }$word"
  done
  case $typed in
${cases('following', next)}
  esac
  while [ -n "$typed" ] && [ -z "$flags" ]; do
    case $typed in
${cases('flags', flags)}
    esac
    case $typed in *' '*) typed=\${typed% *} ;; *) typed='' ;; esac
  done`

const bash = (tables: Tables): string => `_frontdesk() {
  local current=\${COMP_WORDS[COMP_CWORD]}
${lookUp(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, tables)}
  case $current in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$following" -- "$current")) ;;
  esac
}
complete -o default -F _frontdesk frontdesk
`

const zsh = (tables: Tables): string => `_frontdesk() {
${lookUp(`"\${(@)words[2,CURRENT-1]}"`, tables)}
  case $PREFIX in
    -*) compadd -- \${=flags} ;;
    *) if [ -n "$following" ]; then compadd -- \${=following}; else _files; fi ;;
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _frontdesk frontdesk
`

const fishCases = (variable: string, table: Table): string =>
  table
    .map(([typed, offered]) => `    case ${quoted(typed)}\n      set ${variable} ${offered.map(quoted).join(' ')}`)
    .join('\n')

const fish = ({next, flags}: Tables): string => `function __frontdesk_offered
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed
  for word in $words
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  set -l offered
  if not string match -q -- '-*' (commandline -ct)
    switch "$typed"
${fishCases('offered', next)}
    end
    string join \\n -- $offered
    return
  end
  while test (count $typed) -gt 0; and test (count $offered) -eq 0
    switch "$typed"
${fishCases('offered', flags)}
    end
    set -e typed[-1]
  end
  string join \\n -- $offered
end
complete -c frontdesk -n 'count (__frontdesk_offered) >/dev/null' -f -a '(__frontdesk_offered)'
`
