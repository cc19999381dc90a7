import type {Query} from './operation.js'

/** Query parameters by name, repeats in the order given. */
export function queryOf(search: string): Query {
  const query = new Map<string, string[]>()
  if (search === '') return query
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name)
    if (values) values.push(value)
    else query.set(name, [value])
  }
  return query
}
