import {quoted} from './posix.js'
import type {FlagTable, Offer, Tables} from './tables.js'

const list = (offer: Offer): string => (typeof offer === 'string' ? quoted(offer) : offer.map(quoted).join(' '))

const cases = (rows: readonly (readonly [typed: readonly string[], body: readonly string[]])[], indent: string) =>
  rows
    .map(([typed, body]) => [`case ${typed.map(quoted).join(' ')}`, ...body.map((line) => `  ${line}`)])
    .flatMap((lines) => lines.map((line) => `${indent}${line}`))
    .join('\n')

const valueRows = ({values}: FlagTable): (readonly [readonly string[], readonly string[]])[] =>
  values.map(({of, offer}) => [of, [`set values ${list(offer)}`]])

/** The script for fish, where a token `--flag=value` is completed as a whole. */
export const fish = ({topics, commands, global}: Tables): string => `function __frontdesk_offered
  set -l words (commandline -opc)
  set -l program $words[1]
  set -e words[1]
  set -l current (commandline -ct)
  set -l previous $words[-1]
  set -l before ''
  if string match -q -- '--*=*' $current
    set previous (string split -m 1 -- '=' $current)[1]
    set before $previous=
  end
  set -l typed
  set -l skip ''
  for word in $words
    if test -n "$skip"
      set skip ''
      continue
    end
    if contains -- $word ${list(global.takes)}
      set skip 1
    else if not string match -q -- '-*' $word
      set -a typed $word
    end
  end
  set -l offered
  set -l argument
  set -l values
  set -l flags ${list(global.flags)}
  set -l takes ${list(global.takes)}
  switch "$typed"
${cases(
  topics.map(({typed, next}) => [typed, [`set offered ${list(next)}`]]),
  '    ',
)}
  end
  set -l command $typed
  while test (count $command) -gt 0
    switch "$command"
${cases(
  commands.map((table) => [
    table.typed,
    [
      `set -p flags ${list(table.flags)}`,
      `set -p takes ${list(table.takes)}`,
      `set argument ${list(table.argument)}`,
      ...(table.values.length === 0 ? [] : ['switch "$previous"', cases(valueRows(table), '      '), 'end']),
      'break',
    ],
  ]),
  '      ',
)}
    end
    set -e command[-1]
  end
  if test -z "$values"
    switch "$previous"
${cases(valueRows(global), '      ')}
    end
  end
  test -n "$offered"; or set offered $argument
  string match -q -- '-*' $current; and set offered $flags
  contains -- "$previous" $takes; and set offered $values
  if string match -q -- '@*' "$offered"
    set offered ($program completion --values=(string sub -s 2 -- $offered) --line="$words" 2>/dev/null)
  end
  for word in $offered
    echo $before$word
  end
end
complete -c frontdesk -n 'count (__frontdesk_offered) >/dev/null' -f -a '(__frontdesk_offered)'
`
