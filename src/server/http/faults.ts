import * as v from 'valibot'
import type {AnyOperation} from '../../api/operation/operation.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'

/** Fault injection, for testing other software against a local server. */

const statuses = [429, 500, 502, 503, 504] as const

/** A fault: the requests that it strikes, its probability, and its effect. */
export const FaultRule = v.object({
  /** Id of an operation, or a part of its path. Absent: all operations but the administration. */
  operation: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  /** 0 to 1. */
  probability: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 1),
  /** Replies with this status instead of running the pipeline. */
  status: v.exactOptional(v.picklist(statuses)),
  /** Replies LockedField for the email instead of running the pipeline. */
  locked: v.exactOptional(v.literal(true)),
  retryAfterSeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3600))),
  /** Delays the request first. */
  latencyMs: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000))),
  /** Closes the connection before the request is read, or after it took effect. */
  drop: v.exactOptional(v.picklist(['before', 'after'])),
  /** Maximum number of strikes. */
  times: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})

export type FaultRule = v.InferOutput<typeof FaultRule>

export const FaultPlan = v.object({
  /** The same seed draws the same faults for the same requests. */
  seed: v.optional(v.pipe(v.number(), v.safeInteger()), 1),
  rules: v.pipe(v.array(FaultRule), v.maxLength(100)),
})

export type FaultPlan = v.InferOutput<typeof FaultPlan>

/** Pseudorandom numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const concerns = ({operation}: FaultRule, {id, path}: AnyOperation): boolean =>
  operation === undefined || operation === id || (operation.startsWith('/') && (path as string).includes(operation))

/** The injected faults of a server: none until a plan is set. */
export class Faults {
  #plan: FaultPlan = {seed: 1, rules: []}
  #chance = seededRandom(1)
  #drawn: number[] = []

  set(plan: FaultPlan): Faults['state'] {
    this.#plan = plan
    this.#chance = seededRandom(plan.seed)
    this.#drawn = plan.rules.map(() => 0)
    return this.state
  }

  clear(): void {
    this.set({seed: 1, rules: []})
  }

  /** The plan, and the number of strikes of each rule. */
  get state(): FaultPlan & {readonly drawn: readonly number[]} {
    return {...this.#plan, drawn: this.#drawn}
  }

  /** The first rule that strikes this request. The administration is exempt, so that faults can be turned off. */
  next(operation: AnyOperation): FaultRule | undefined {
    if (operation.permission.kind === 'admin') return undefined
    for (const [at, rule] of this.#plan.rules.entries()) {
      const drawn = this.#drawn[at] ?? 0
      if (!concerns(rule, operation) || (rule.times !== undefined && drawn >= rule.times)) continue
      if (this.#chance() >= rule.probability) continue
      this.#drawn[at] = drawn + 1
      return rule
    }
    return undefined
  }
}

export function faultOf({status, locked, retryAfterSeconds}: FaultRule): ApiError | undefined {
  if (locked) return ApiError.of('LockedField', {field: 'email'})
  if (status === undefined) return undefined
  if (status === 429) return ApiError.of('TooManyRequests', {retryAfterSeconds: retryAfterSeconds ?? 1})
  return ApiError.of(codes[status], {message: 'An injected fault.', ...defined({retryAfterSeconds})})
}

const codes = {500: 'General', 502: 'BadGateway', 503: 'OverCapacity', 504: 'GatewayTimeout'} as const
