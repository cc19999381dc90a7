import type {Customer} from '../../domain/customers/customer.js'
import type {Option} from './act.js'

/** Text of the desk, fitted to the width of the terminal. */

/** The options of the menu in columns, each with its key in brackets: `[r] reset link`. */
export function menuText(options: readonly Option[], columns: number): string {
  const cells = options.map(({key, label}) => `[${key}] ${label}`)
  const width = Math.max(...cells.map((cell) => cell.length)) + 2
  const perLine = Math.max(1, Math.floor((columns + 2) / width))
  const lines = Array.from({length: Math.ceil(cells.length / perLine)}, (_, line) =>
    cells
      .slice(line * perLine, (line + 1) * perLine)
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** A reference that people can read and type again. */
export const refOf = ({id, key}: Pick<Customer, 'id' | 'key'>): string => (key === undefined ? id : `key=${key}`)
