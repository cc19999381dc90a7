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
  fish: `complete -c frontdesk -f -a '(set -l words (commandline -opc) (commandline -ct); $words[1] completion fish -- $words[2..] 2>/dev/null)'
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

export type Shell = keyof typeof scripts
export const shells = Object.keys(scripts) as readonly Shell[]

/** The script that completes `frontdesk` in a shell. */
export const completionScript = (shell: Shell): string => scripts[shell]
