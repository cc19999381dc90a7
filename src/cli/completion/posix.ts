import type {FlagTable, Offer, Tables} from './tables.js'

/** Scripts for bash and zsh, which share all but how they take words and give offers. */

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const list = (offer: Offer): string => quoted(typeof offer === 'string' ? offer : offer.join(' '))

const pattern = (names: readonly string[]): string => names.map(quoted).join('|')

const valueCases = ({values}: FlagTable, indent: string): string =>
  values.map(({of, offer}) => `${indent}${pattern(of)}) values=${list(offer)} ;;`).join('\n')

const ownValues = (table: FlagTable): string =>
  table.values.length === 0 ? '' : `\n        case $previous in\n${valueCases(table, '          ')}\n        esac`

/**
 * Sets `offered`, a list of words or `@KIND`, and `isFlag`, from the words before the cursor, the word being typed
 * (`current`) and the one before it (`previous`), where the `=` of `--flag=value` is no word.
 */
const lookUp = (wordsBefore: string, {topics, commands, global}: Tables): string => `  local typed='' skip='' word=''
  local command='' next='' argument='' values='' takes=${list(global.takes)} flags=${list(global.flags)}
  for word in ${wordsBefore}; do
    if [ "$word" = '=' ]; then skip=1; continue; fi
    if [ -n "$skip" ]; then skip=''; continue; fi
    case $word in
      ${pattern(global.takes)}) skip=1 ;;
      -*) ;;
      *) typed="\${typed:+$typed }$word" ;;
    esac
  done
  case $typed in
${topics.map(({typed, next}) => `    ${pattern(typed)}) next=${list(next)} ;;`).join('\n')}
  esac
  command=$typed
  while [ -n "$command" ]; do
    case $command in
${commands
  .map(
    (table) => `      ${pattern(table.typed)})
        flags=${list([...table.flags, ...global.flags])} takes=${list([...table.takes, ...global.takes])}
        argument=${list(table.argument)}${ownValues(table)}
        break ;;`,
  )
  .join('\n')}
    esac
    case $command in *' '*) command=\${command% *} ;; *) command='' ;; esac
  done
  if [ -z "$values" ]; then
    case $previous in
${valueCases(global, '      ')}
    esac
  fi
  offered=$next
  [ -n "$offered" ] || offered=$argument
  case $current in -*) offered=$flags ;; esac
  case " $takes " in *" $previous "*) offered=$values ;; esac`

/** What only this machine knows is asked of the program; nothing it says on stderr is shown. */
const ask = (program: string, line: string): string => `  case $offered in
    @*) offered=$(${program} completion --values="\${offered#@}" --line="${line}" 2>/dev/null) ;;
  esac`

// bash breaks words at `=`; an empty word before the cursor may follow one.
export const bash = (tables: Tables): string => `_frontdesk() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} offered=''
  if [ "$current" = '=' ]; then current=''
  elif [ "$previous" = '=' ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
${lookUp(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, tables)}
${ask(`"\${COMP_WORDS[0]}"`, `\${COMP_WORDS[*]:1:COMP_CWORD-1}`)}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _frontdesk frontdesk
`

export const zsh = (tables: Tables): string => `_frontdesk() {
  local current=$PREFIX previous=$words[CURRENT-1] offered=''
  case $PREFIX in
    --*=*) previous=\${PREFIX%%=*} current=\${PREFIX#*=}; compset -P '*=' ;;
  esac
${lookUp(`"\${(@)words[2,CURRENT-1]}"`, tables)}
${ask(`$words[1]`, `\${(j: :)words[2,CURRENT-1]}`)}
  if [ -n "$offered" ]; then compadd -- \${=offered}; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _frontdesk frontdesk
`
