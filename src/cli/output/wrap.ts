import type {Ruler} from './width.js'

/** Command lines, settings of a shell and quoted text are one word: a line feed inside would break them for who copies them. */
const words = /^(?:export|set) .+|`[^`]*`\S*|\bfrontdesk (?:(?!\. |; |`).)+[.;]?|\S+/g

/**
 * A line broken between words to fit the terminal that it is written to; elsewhere it stays whole. `indent` stands before
 * the lines that follow: without one, a word from outside could begin a line and pass for a line of ours.
 */
export function wrapped(
  line: string,
  {isTTY, columns}: {isTTY?: boolean; columns?: number},
  indent: string = '  ',
): string {
  if (!isTTY || !columns || line.length <= columns) return line
  return broken(line, columns, ['', indent], (text) => text.length)
}

/** The words of a line in lines of so many columns, with what stands before the first and before the others. */
function broken(
  line: string,
  columns: number,
  [first, others]: readonly [string, string],
  widthOf: (text: string) => number,
): string {
  const lines: string[] = []
  let current = ''
  for (const [word] of line.matchAll(words)) {
    if (current === '') current = first + word
    else if (widthOf(current) + 1 + widthOf(word) <= columns) current += ` ${word}`
    else {
      lines.push(current)
      current = others + word
    }
  }
  return [...lines, current].join('\n')
}

/** The lines of a cell of a table: broken between words, and inside one that is wider than the column. */
export function cellLines(text: string, columns: number, {widthOf, cut}: Ruler): string[] {
  const lines: string[] = []
  let current = ''
  for (const [word] of text.matchAll(/\S+/g)) {
    let rest = word
    if (current !== '' && widthOf(current) + 1 + widthOf(rest) <= columns) {
      current += ` ${rest}`
      continue
    }
    if (current !== '') lines.push(current)
    while (widthOf(rest) > columns) {
      const head = cut(rest, columns, '')
      if (head === '') break
      lines.push(head)
      rest = rest.slice(head.length)
    }
    current = rest
  }
  return current === '' && lines.length > 0 ? lines : [...lines, current]
}

/** Lines fitted to a width as `wrapped` does it, what follows of each below its indentation. */
export function wrappedLines(text: string, columns: number, widthOf: (text: string) => number): string {
  const fitted = (line: string): string => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    return widthOf(line) <= columns ? line : broken(line, columns, [indent, `${indent}  `], widthOf)
  }
  return text.split('\n').map(fitted).join('\n')
}
