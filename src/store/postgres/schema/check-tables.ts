import {StateError} from '../../../domain/errors.js'
import type {Run} from '../connection/connections.js'
import {tables} from './schema.js'

const columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'frontdesk'"
const keys = `SELECT k.table_name, k.column_name FROM information_schema.table_constraints c
  JOIN information_schema.key_column_usage k
    ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name
  WHERE c.table_schema = 'frontdesk' AND c.constraint_type = 'PRIMARY KEY'`

/**
 * Throws StateUnusable for tables that lack a column or the primary key that ensures uniqueness.
 */
export async function checkTables(run: Run, label: string): Promise<void> {
  const [present, unique] = await Promise.all([byTable(run, columns), byTable(run, keys)])
  for (const {name, columns: wanted, key} of tables) {
    const missing = wanted
      .map((column) => column.split(' ')[0] ?? '')
      .filter((column) => !present.get(name)?.has(column))
    if (missing.length > 0) throw unfit(label, `frontdesk.${name} has no column ${missing.join(', ')}`)
    const found = unique.get(name) ?? new Set()
    if (found.size !== key.length || key.some((column) => !found.has(column))) {
      throw unfit(
        label,
        `frontdesk.${name} has not the primary key (${key.join(', ')}), so that nothing would be unique`,
      )
    }
  }
}

async function byTable(run: Run, text: string): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const [table = '', column = ''] of (await run({text})).rows) {
    const names = found.get(table ?? '') ?? new Set<string>()
    found.set(table ?? '', names.add(column ?? ''))
  }
  return found
}

function unfit(label: string, what: string): StateError {
  const remedy = 'Make the tables with the statements of: frontdesk server store-schema'
  return new StateError('StateUnusable', `The tables of ${label} are not those of a state: ${what}.`, label, remedy)
}
