/** Did-you-mean: proposes, and never executes. */

/** Edit distance with transpositions. */
function distance(a: string, b: string): number {
  let previous: number[] = []
  let current = Array.from({length: b.length + 1}, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (current[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (previous[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    previous = current
    current = next
  }
  return current[b.length] ?? 0
}

/** The candidates that are near enough to what was typed, nearest first, at most three. */
export function similar(typed: string, candidates: Iterable<string>): string[] {
  const text = typed.slice(0, 64).toLowerCase()
  const limit = Math.max(1, Math.floor(text.length / 3))
  return [...candidates]
    .map((candidate) => ({candidate, steps: distance(text, candidate)}))
    .filter(({steps, candidate}) => steps <= limit || (text.length > 2 && candidate.startsWith(text)))
    .sort((a, b) => a.steps - b.steps || a.candidate.localeCompare(b.candidate))
    .slice(0, 3)
    .map(({candidate}) => candidate)
}
