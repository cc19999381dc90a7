/** `ada@example.com` as `a***@e***.com`; other text as its first character. What is no text is hidden whole. */
export function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (typeof value !== 'string') return '***'
  const [, first, host, end] = /^(.).*@(.).*?(\.[^.]+)?$/su.exec(value) ?? []
  if (first !== undefined) return `${first}***@${host}***${end ?? ''}`
  return value === '' ? '' : `${[...value][0]}***`
}
