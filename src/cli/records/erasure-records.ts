import {defined} from '../../domain/equal.js'
import type {AuditLine} from '../safety/audit.js'
import {actsOf} from './audit-events.js'

/** An erasure as the audit log of this machine tells it. */
export interface ErasureRecord {
  readonly time: string
  readonly operator: string
  readonly profile: string
  readonly result?: string
  readonly ticket?: string
}

/** The erasures of an id that this machine has sent, the oldest first. */
export const recordsOf = (lines: readonly AuditLine[], id: string): readonly ErasureRecord[] =>
  actsOf(lines, ({target, actions}) => target === id && actions?.includes('erase') === true).map(
    ({intent: {time, operator, profile, ticket}, result}) => ({
      time,
      operator,
      profile,
      ...defined({result: result?.result, ticket}),
    }),
  )
