import {defined} from '../../domain/equal.js'
import {messageTypeText} from '../output/views.js'
import type {AuditLine} from '../safety/audit.js'
import type {HistoryEvent} from './event.js'

/** An act of this tool: the line before it and the line after it. */
export interface Act {
  readonly intent: AuditLine
  /** Absent: it was interrupted, or goes on. */
  readonly result?: AuditLine
}

/** The lines of the audit log about a resource as acts, the oldest first. A note of a call stands alone. */
export function actsOf(lines: readonly AuditLine[], isAbout: (line: AuditLine) => boolean): Act[] {
  const acts: {intent: AuditLine; result?: AuditLine}[] = []
  for (const line of lines) {
    if (!isAbout(line)) continue
    if (line.phase !== 'result') {
      acts.push({intent: line})
      continue
    }
    const open = acts.findLast(({intent, result}) => !result && isSame(intent, line))
    if (open) open.result = line
    else acts.push({intent: line, result: line})
  }
  return acts
}

/** Each act as one entry: what was meant, what became of it, and when that was written. */
export const actEntries = (acts: readonly Act[]) =>
  acts.map(({intent: {phase, ...intent}, result: {time, result, versionAfter, correlationId} = {}}) => ({
    ...intent,
    ...defined({
      result: result ?? (phase === 'noted' ? phase : 'no result'),
      versionAfter,
      correlationId,
      ended: time,
    }),
  }))

/**
 * The acts that began or ended at a moment or later, in the order of their last lines: those with a line at or after
 * the first line of that moment. Clocks may go back; the order of the lines does not.
 */
export function actsSince(lines: readonly AuditLine[], since: string): readonly Act[] {
  const first = lines.findIndex(({time}) => time >= since)
  if (first === -1) return []
  const places = new Map(lines.map((line, place) => [line, place]))
  const lastPlace = ({intent, result}: Act): number => places.get(result ?? intent) ?? 0
  return actsOf(lines, () => true)
    .filter((act) => lastPlace(act) >= first)
    .sort((one, other) => lastPlace(one) - lastPlace(other))
}

const isSame = (a: AuditLine, b: AuditLine): boolean =>
  a.phase === 'intent' && a.command === b.command && a.target === b.target && a.versionBefore === b.versionBefore

const isUndo = ({intent, result}: Act): boolean => intent.command === 'undo' && result?.result === 'done'

/** Whether an undo after these acts brings back what another undo took. */
export function wouldRedo(acts: readonly Act[]): boolean {
  const done = acts.filter(({result}) => result?.result === 'done')
  return (done.length - 1 - done.findLastIndex((act) => !isUndo(act))) % 2 === 1
}

export const didBy = ({operator}: AuditLine): string => `${operator} with this tool`

/** An action in the words of its message: `addStore` is `store added`. */
const doneWords = (action: string): string =>
  messageTypeText(action).replace(
    /^(\w+) (.*)$/,
    (_, verb: string, what: string) => `${what} ${/set$/.test(verb) ? verb : verb.replace(/e?$/, 'ed')}`,
  )

export function actEvent({intent, result}: Act): HistoryEvent {
  const {time, command, actions = [], reason, ticket, phase} = intent
  const ended = result?.result ?? (phase === 'intent' ? 'no result' : undefined)
  const words = actions.map(ended === 'done' || phase === 'noted' ? doneWords : messageTypeText).join(', ')
  return {
    time,
    origin: 'audit',
    type: command,
    what: words || command.replace(/^customers /, ''),
    who: didBy(intent),
    ...defined({result: ended, reason, ticket, version: result?.versionAfter}),
  }
}
