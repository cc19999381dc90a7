import {isTelling, labelOf} from '../customers/preview.js'
import {cellAt, cellText, listAt, valueAt} from '../output/fields.js'
import {modelOf} from '../output/known-fields.js'
import {spokenMoment} from '../output/times.js'
import {column, type View, wrapping} from '../output/view.js'

/** `company name Brandvold & Sons → Brandvold & Daughters`. */
const changeText = (change: unknown, isNamed: boolean): string => {
  const [before, after] = [cellAt(change, 'before'), cellAt(change, 'after')]
  const label = isNamed ? '' : `${labelOf(cellAt(change, 'path'))} `
  return `${label}${before === '' ? '' : `${before} → `}${after === '' ? 'nothing' : after}`
}

/** `email changed: old → new`, without the name of the one member that the words name already. */
const changesText = (what: string, changes: readonly unknown[]): string => {
  const [path] = changes.length === 1 ? [cellText(valueAt(changes[0], 'path'))] : []
  const isNamed = path !== undefined && what.replaceAll(' ', '').startsWith(path.toLowerCase())
  return changes.map((change) => changeText(change, isNamed)).join('; ')
}

/** What happened, in words, with the values before and after. */
export const whatOf = (event: unknown): string => {
  const what = cellAt(event, 'what')
  const changes = listAt(event, 'changes').filter((change) => isTelling(cellAt(change, 'path')))
  const how = cellAt(event, 'ended')
  const [until, moment] = how === '' ? ['until', 'expiresAt'] : [how, 'endedAt']
  const when = spokenMoment(valueAt(event, moment), Number.NaN) ?? ''
  const validity = when === '' ? how : `${until} ${when}`
  const result = cellAt(event, 'result')
  const failed = /^[A-Z]|_/.test(result) ? `failed: ${result}` : result
  const ended = result === '' || result === 'done' ? '' : ` (${failed})`
  return `${what}${changes.length > 0 ? `: ${changesText(what, changes)}` : ''}${validity === '' ? '' : `, ${validity}`}${ended}`
}

/** Who did it, and what for: `mia with this tool, CS-1731: forgot it`. */
export const whoOf = (event: unknown): string => {
  const [who, ticket, reason] = ['who', 'ticket', 'reason'].map((member) => cellAt(event, member))
  return [[who, ticket].filter(Boolean).join(', '), reason].filter(Boolean).join(': ')
}

export const historyView: View = {
  model: async () =>
    modelOf('time origin type command what changes who version result ticket reason expiresAt ended endedAt'),
  columns: [column('when', 'time', {keep: 'cut', moment: 'clock'}), wrapping('what', whatOf), wrapping('who', whoOf)],
  id: 'time',
}
