import {cellText, valueAt} from '../render/fields.js'
import {column, kept, moment, type View} from '../render/view.js'
import {modelOf} from './known-fields.js'

const list = (document: unknown, path: string): readonly unknown[] => {
  const value = valueAt(document, path)
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** `companyName Brandvold & Sons → Brandvold & Daughters`. */
const changeText = (change: unknown): string => {
  const [before, after] = [cellText(valueAt(change, 'before')), cellText(valueAt(change, 'after'))]
  const path = cellText(valueAt(change, 'path'))
  return `${path} ${before === '' ? '' : `${before} → `}${after === '' ? 'nothing' : after}`
}

const whatOf = (event: unknown): string => {
  const what = cellText(valueAt(event, 'what'))
  const changes = list(event, 'changes').map(changeText)
  const until = cellText(valueAt(event, 'expiresAt'))
  const result = cellText(valueAt(event, 'result'))
  const ended = result === '' || result === 'done' ? '' : ` (${result})`
  return `${what}${changes.length > 0 ? `: ${changes.join('; ')}` : ''}${until === '' ? '' : `, until ${until}`}${ended}`
}

/** The timeline of a customer. */
export const historyView: View = {
  model: async () =>
    modelOf(
      ...['time', 'origin', 'type', 'what', 'changes', 'who', 'version', 'result', 'ticket', 'reason', 'expiresAt'],
    ),
  columns: [moment('when', 'time'), kept('what', whatOf), kept('who'), column('ticket'), column('reason')],
  id: 'time',
}
