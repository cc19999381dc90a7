/**
 * What one request may ask for and what one server takes at a time: every limit in one table, which docs/api.md shows.
 * Each is enforced before the work that it bounds. Plain data without imports, so that every layer may read it.
 */

interface Limit {
  readonly most: number
  /** What is counted, as a row of the table. */
  readonly counts: string
  /** What a request beyond it is answered with: status and code. */
  readonly refusal: string
}

export const limitTable = {
  waitingPasswords: {most: 64, counts: 'passwords that wait to be hashed', refusal: '503 `OverCapacity`'},
  resolvingNames: {
    most: 2,
    counts: 'host names of External OAuth that are being resolved at once',
    refusal: '400 `ExternalOAuthFailed`',
  },
  askingExternally: {
    most: 1_000,
    counts: 'tokens that External OAuth is being asked about at once',
    refusal: '400 `ExternalOAuthFailed`',
  },
} as const satisfies Readonly<Record<string, Limit>>

type LimitName = keyof typeof limitTable

/** The limits by name. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, {most}]) => [name, most]),
) as unknown as {readonly [N in LimitName]: (typeof limitTable)[N]['most']}
