const maxLength = 100

/** Levenshtein distance, one row at a time. */
const distance = (left: string, right: string): number => {
  let row = Array.from({length: right.length + 1}, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** Up to `count` names that contain what was asked for, or differ from it in at most a third of it; the nearest first. */
export const nearest = (wanted: string, names: readonly string[], count = 3): readonly string[] => {
  const asked = wanted.slice(0, maxLength)
  if (asked === '') return []
  return names
    .map((name) => ({name, far: name.includes(asked) && asked.length > 2 ? 0 : distance(asked, name)}))
    .filter(({far}) => far <= Math.max(2, Math.floor(asked.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({name}) => name)
}
