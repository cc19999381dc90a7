import {availableParallelism, cpus, loadavg} from 'node:os'

/** Whether the words of a command have one, and the value of `name=…` or `--name …`. */
export const has = (words: readonly string[], word: string): boolean => words.includes(word)
export const optionOf = (words: readonly string[], name: string): string | undefined =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ??
  (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined)

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** A table of Markdown. Numbers are set to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const busyLoad = 0.5

/** Where and when a measurement was taken, in a sentence. */
export function circumstances(before = loadavg()[0] ?? 0): string {
  const {model = 'an unknown processor'} = cpus()[0] ?? {}
  const where = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${availableParallelism()} cores of ${model}`
  const busy = before > busyLoad ? ' The machine was busy: only ratios count, and least ones most.' : ''
  return `${where}; load ${before.toFixed(1)} before.${busy}`
}
