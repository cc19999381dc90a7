/** Random choices by a seed: the same seed makes the same choices on every machine. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Mulberry32, mixed with a second number so that neighbours differ. */
export function randomOf(seed: number, index: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
  }
}

/** What people and programs send in place of what was asked for. */
export const hostile: readonly unknown[] = [
  ...[null, true, '', ' ', 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]], [null]],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '\u202e',
    'İ',
    'ﬃ',
    'e\u0301',
    '%',
    '$(1)',
    "' or 1=1",
  ],
  ...['x'.repeat(300), 'x'.repeat(20_000), '*'.repeat(200), '?*'.repeat(100), '['.repeat(500), '9'.repeat(400)],
  ...['2026-02-30T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', 'DE', 'de-DE-x-y'],
  JSON.parse('{"__proto__": {"isAdmin": true}}'),
  {typeId: 'customer', id: 'nobody'},
  Array.from({length: 600}, () => ({})),
]
