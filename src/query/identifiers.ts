/** Reserved words: field names that need backticks. */
export const reserved: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'in',
  'is',
  'contains',
  'within',
  'matches',
  'true',
  'false',
])

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Whether a predicate may name the field without backticks. */
export const isPlainName = (name: string): boolean => plainName.test(name) && !reserved.has(name.toLowerCase())
