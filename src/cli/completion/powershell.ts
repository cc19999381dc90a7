import type {FlagTable, Offer, Tables} from './tables.js'

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const list = (offer: Offer): string => `@(${(typeof offer === 'string' ? [offer] : offer).map(text).join(', ')})`

const hash = (rows: readonly (readonly [string, string])[], indent: string): string =>
  `@{${rows.map(([name, value]) => `\n${indent}  ${text(name)} = ${value}`).join('')}${rows.length > 0 ? `\n${indent}` : ''}}`

/** `-P` and `-p` would be one key of a hash table: short flags are left to the long ones. */
const valuesOf = ({values}: FlagTable, indent: string): string =>
  hash(
    values.flatMap(({of, offer}) => of.filter((name) => name.startsWith('--')).map((name) => [name, list(offer)])),
    indent,
  )

/** The script for PowerShell, for Windows and elsewhere. */
export const powershell = ({topics, commands, global}: Tables): string => `$FrontdeskTopics = ${hash(
  topics.flatMap(({typed, next}) => typed.map((name) => [name, list(next)])),
  '',
)}
$FrontdeskCommands = ${hash(
  commands.flatMap((table) => {
    const {flags, takes, argument} = table
    const body = `@{ flags = ${list(flags)}; takes = ${list(takes)}; argument = ${list(argument)}; values = ${valuesOf(table, '  ')} }`
    return table.typed.map((name) => [name, body] as const)
  }),
  '',
)}
$FrontdeskGlobal = @{ flags = ${list(global.flags)}; takes = ${list(global.takes)}; values = ${valuesOf(global, '')} }
Register-ArgumentCompleter -Native -CommandName frontdesk -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $program = $words[0]
  $words = @($words | Select-Object -Skip 1)
  $current = $wordToComplete
  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $before = ''
  if ($current -match '^(--[^=]+)=(.*)$') { $previous = $Matches[1]; $before = "$previous="; $current = $Matches[2] }
  $typed = @()
  $skip = $false
  foreach ($word in $words) {
    if ($skip) { $skip = $false; continue }
    if ($FrontdeskGlobal.takes -ccontains $word) { $skip = $true } elseif (-not $word.StartsWith('-')) { $typed += $word }
  }
  $offered = @()
  if ($FrontdeskTopics.ContainsKey("$typed")) { $offered = $FrontdeskTopics["$typed"] }
  $flags = $FrontdeskGlobal.flags
  $takes = $FrontdeskGlobal.takes
  $values = $FrontdeskGlobal.values[$previous]
  for ($length = $typed.Count; $length -gt 0; $length--) {
    $command = $FrontdeskCommands["$($typed[0..($length - 1)])"]
    if ($null -eq $command) { continue }
    $flags = $command.flags + $flags
    $takes = $command.takes + $takes
    if ($command.values.ContainsKey($previous)) { $values = $command.values[$previous] }
    if ($offered.Count -eq 0) { $offered = $command.argument }
    break
  }
  if ($wordToComplete.StartsWith('-') -and $before -eq '') { $offered = $flags }
  if ($takes -ccontains $previous) { $offered = @($values) }
  if ($offered.Count -eq 1 -and "$($offered[0])".StartsWith('@')) {
    $offered = & $program completion "--values=$($offered[0].Substring(1))" "--line=$words" 2>$null
  }
  $offered | Where-Object { $_ -and $_.StartsWith($current) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_)
  }
}
`
