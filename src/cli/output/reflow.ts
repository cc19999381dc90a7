import {wrapped} from './wrap.js'

/** `  label   what it means`, and the lines below it that begin where the meaning does. */
const row = /^( *)(\S+(?: \S+)*)( {2,})(\S.*)$/

/** Text of a help topic for a width: paragraphs filled anew, meanings of rows below each other, other lines as they are. */
export function reflowed(text: string, columns: number): string {
  const shown: string[] = []
  let open: {readonly head: string; words: string; readonly indent: number} | undefined
  const close = (): void => {
    if (open) shown.push(...hanging(open.head, open.words, open.indent, columns))
    open = undefined
  }
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    const [, before = '', label = '', blanks = '', meaning = ''] = row.exec(line) ?? []
    const continues = open !== undefined && line !== '' && indent === open.indent && meaning === ''
    if (open && continues) {
      open.words += ` ${line.trim()}`
      continue
    }
    close()
    if (meaning !== '') open = {head: before + label + blanks, words: meaning, indent: line.length - meaning.length}
    else if (line !== '' && indent === 0) open = {head: '', words: line, indent: 0}
    else shown.push(line)
  }
  close()
  return shown.join('\n')
}

/** A head and words beside it, or below it where there is too little room. */
function hanging(head: string, words: string, indent: number, columns: number): string[] {
  const isBelow = columns - indent < leastMeaning
  const margin = isBelow ? head.length - head.trimStart().length + 4 : indent
  const lines = wrapped(words, {isTTY: true, columns: columns - margin}, '').split('\n')
  const filled = lines.map((line) => ' '.repeat(margin) + line)
  return isBelow ? [head.trimEnd(), ...filled] : [head + lines[0], ...filled.slice(1)]
}

const leastMeaning = 30
