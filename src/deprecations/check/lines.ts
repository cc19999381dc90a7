/** The lines of a text, to tell where an offset is. */
export interface Lines {
  readonly positionOf: (offset: number) => {readonly line: number; readonly column: number}
  /** The text of a line (from 1), without its end; long lines are cut. */
  readonly textOf: (line: number) => string
}

const longestLine = 10_000

export const linesOf = (text: string): Lines => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    positionOf: (offset) => {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return {line: low + 1, column: offset - (starts[low] ?? 0) + 1}
    },
    textOf: (line) => {
      const start = starts[line - 1] ?? 0
      const end = (starts[line] ?? text.length + 1) - 1
      return text.slice(start, Math.min(end, start + longestLine)).replace(/\r$/, '')
    },
  }
}
