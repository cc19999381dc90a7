/** Members of a page of results that come before the results, in the wire form and in ours. */
const pageMembers: readonly string[] = ['limit', 'offset', 'count', 'total', 'by']

/** Whether the text of an object up to a `[` makes it a page: its results are the values then, as in an array. */
export function beginsPage(text: string): boolean {
  const [, before] = /^(\{.*)"results"\s*:\s*$/s.exec(text) ?? []
  if (before === undefined) return false
  try {
    const members = Object.keys(JSON.parse(`${before.trimEnd().replace(/,$/, '')}}`) as object)
    return members.every((name) => pageMembers.includes(name))
  } catch {
    return false
  }
}
