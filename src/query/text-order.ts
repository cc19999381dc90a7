const firstSurrogate = 0xd800
const afterSurrogates = 0xe000

/** UTF-16 puts surrogate pairs (U+10000 and above) before U+E000 to U+FFFF; moved behind them, units order like code points. */
const weight = (unit: number): number =>
  unit < firstSurrogate ? unit : unit < afterSurrogates ? unit + 0x2000 : unit - 0x800

/** Orders text by Unicode code points, as PostgreSQL's C collation does on UTF-8. Negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return weight(left) - weight(right)
  }
  return a.length - b.length
}
