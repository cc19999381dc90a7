import {defined} from '../domain/equal.js'
/** An external token by its introspection reply (RFC 7662 §2.2); any doubt counts as inactive. */
export interface ForeignToken {
  /** Space-separated scopes; empty if the reply has none in the right form. */
  readonly scope: string
  /** Milliseconds since the epoch, if the reply has it. */
  readonly expiresAt?: number
}

/** Larger values are taken as milliseconds: as seconds they would be after the year 5138. */
const maxSeconds = 1e11
const skewMs = 60_000

const millisecondsOf = (value: number): number => (value > maxSeconds ? value : value * 1000)

/** The token, if it is active at `now`: `active` is exactly true, `nbf` has passed and `exp` has not. */
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
  return {scope: typeof scope === 'string' ? scope : '', ...defined({expiresAt})}
}
