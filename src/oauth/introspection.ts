/** What another authorization server says of a token (RFC 7662 §2.2), read so that every doubt counts as inactive. */
export interface ForeignToken {
  /** Blank-separated; empty if the answer names none in the right form. */
  readonly scope: string
  /** Milliseconds since the epoch, if the answer says. */
  readonly expiresAt?: number
}

/** Larger values are milliseconds: as seconds they would lie in the year 5138. */
const maxSeconds = 1e11
const skewMs = 60_000

const millisecondsOf = (value: number): number => (value > maxSeconds ? value : value * 1000)

/** The token if it is active at `now`: `active` is exactly true, its time has begun and is not over. */
export function foreignToken(answer: object, now: number): ForeignToken | undefined {
  const {active, scope, exp, nbf, iat} = answer as Readonly<Record<string, unknown>>
  if (active !== true) return undefined
  const times = [exp, nbf, iat].filter((time) => time !== undefined)
  if (!times.every((time) => typeof time === 'number' && Number.isFinite(time))) return undefined
  const [expiresAt, begins, issued] = [exp, nbf, iat].map((time) =>
    typeof time === 'number' ? millisecondsOf(time) : undefined,
  )
  const isOver = expiresAt !== undefined && expiresAt <= now
  const isAhead = (begins ?? now) > now || (issued ?? now) > now + skewMs
  if (isOver || isAhead) return undefined
  return {scope: typeof scope === 'string' ? scope : '', ...(expiresAt === undefined ? {} : {expiresAt})}
}
