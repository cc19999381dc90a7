import {column, kept, type View, whole} from '../output/view.js'
import {didYouMean, usage} from '../process/failure.js'

/** An operation that faults on purpose may strike. */
export interface StruckOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

export const operationView: View = {
  columns: [whole('id'), kept('summary'), column('path'), column('method')],
}

/** All operations of the API and the authorization service; the administration is never struck. */
export async function struckOperations(): Promise<readonly StruckOperation[]> {
  const {operations} = await import('../../api/index.js')
  return operations.map(({id, method, path, summary}) => ({id, method, path, summary}))
}

/**
 * Throws a usage error for a rule of an operation that does not exist: it would strike nothing, and the test that relies
 * on it would pass untested. Rules that are none are left to the server.
 */
export async function checkOperations(rules: unknown): Promise<void> {
  const asked = (Array.isArray(rules) ? (rules as unknown[]) : []).flatMap((rule) => operationIn(rule) ?? [])
  if (asked.length === 0) return
  const known = await struckOperations()
  for (const text of asked) {
    if (known.some(({id, path}) => text === id || (text.startsWith('/') && path.includes(text)))) continue
    const names = text.startsWith('/')
      ? known.flatMap(({path}) => path.split('/').map((step) => `/${step}`))
      : known.map(({id}) => id)
    const hint = 'All: frontdesk server faults operations.'
    throw usage(`There is no operation '${text}'; no fault was set.`, didYouMean(text, new Set(names)), hint)
  }
}

function operationIn(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null || !('operation' in rule)) return undefined
  return typeof rule.operation === 'string' ? rule.operation : undefined
}
