import type {Store} from '../../store/store.js'
import type {Bearer} from '../operation/context.js'
import {Remembered, type Revision} from './remembered.js'

/** A caller, and the times between which the token answers for it: they are compared at every use. */
interface KnownBearer {
  readonly bearer: Bearer
  readonly from: number
  /** Milliseconds since the epoch; the first at which the token is over. */
  readonly until: number
}

/** Tokens in use at once that are looked up only once; the next one replaces the first. */
const most = 1_000

const known = new WeakMap<Store, Remembered<KnownBearer>>()

/** The caller behind the digest of a token, if nothing has changed since it was read from the state. */
export function knownBearer(state: Store, digest: string, now: number): Bearer | undefined {
  const found = known.get(state)?.get(digest)
  return found && found.from <= now && now < found.until ? found.bearer : undefined
}

export function rememberBearer(state: Store, digest: string, bearer: KnownBearer, madeFrom: readonly Revision[]): void {
  const bearers = known.get(state) ?? new Remembered<KnownBearer>(state, most)
  known.set(state, bearers)
  bearers.set(digest, bearer, madeFrom)
}
