/** What a project has, in words: `15 customers, 1 tax category`. */
export const countsText = (counts: readonly (readonly [kind: string, count: number])[]): string =>
  counts.map(([kind, count]) => `${count} ${plural(kind, count)}`).join(', ')

const plural = (kind: string, count: number): string => {
  const words = kind.replaceAll('-', ' ')
  return count === 1
    ? words
    : words
        .replace(/y$/, 'ie')
        .replace(/(s|x|ch)$/, '$1e')
        .concat('s')
}
