/** The first place from `low` to `high` that is not below what is looked for, by binary search. */
export function lowerBound(low: number, high: number, isBelow: (at: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBelow(middle)) from = middle + 1
    else to = middle
  }
  return from
}
