import {basename} from 'node:path'
import type {UndoPlan} from '../../transfer/undo.js'
import {counted, oneLine} from '../process/sanitize.js'
import {namesText} from './cause-lines.js'

/** What an undo of a run would do and did, for people. */

export function undoPlanLines(plan: UndoPlan & {readonly openCommand?: string}): string {
  const {read, restore, unchanged, conflict, refused} = plan
  const counts = [`${plan.delete} delete`, `${restore} restore`, `${unchanged} unchanged`, `${conflict} refused`]
  return [
    `${counted(read, 'customer')} of the job ${plan.undoOf}: ${counts.join(', ')}`,
    ...refused.map(({customer, reason}) => oneLine(`refused   ${customer}: ${reason}`)),
    ...(conflict > refused.length ? [`refused   and ${conflict - refused.length} more (the report lists each)`] : []),
    ...openLines(plan),
    oneLine(`the run   ${runText(plan)}`),
  ].join('\n')
}

export function undoQuestion(plan: UndoPlan): string {
  const {restore, conflict} = plan
  const refused = conflict === 0 ? '' : `, and leave ${counted(conflict, 'customer')} alone that cannot be taken back`
  return oneLine(
    `Take back the job ${plan.undoOf} (${runText(plan)}): delete ${counted(plan.delete, 'customer')} that it created, restore ${counted(restore, 'customer')} that it changed${refused}?`,
  )
}

/** A run by its day and its files, or by what it copied: the file of a copy is a temporary one. */
function runText({files, copiedFrom, startedAt}: UndoPlan): string {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
  const names = files.slice(0, 3).map((name) => basename(name))
  return `${copiedFrom === undefined ? `${names.join(', ')}${more}` : `a copy from ${copiedFrom}`} on ${startedAt.slice(0, 10)}`
}

const advice = {
  wait: 'wait for it to end, and repeat this',
  resume: 'let it end, and repeat this:',
  look: 'look for them among those created since:',
} as const

/** Lines about what an undo leaves: rows whose outcome is unknown, and references that were created for the rows. */
export const openLines = ({
  open,
  undoOf,
  openNext,
  openCommand,
  referencesLeft,
}: Pick<UndoPlan, 'open' | 'undoOf' | 'openNext' | 'referencesLeft'> & {readonly openCommand?: string}): string[] => [
  ...(open === 0
    ? []
    : [
        `not taken back: ${open} rows that ${undoOf} may have sent when it was killed; ${advice[openNext ?? 'wait']}`,
        ...(openCommand === undefined ? [] : [`  ${openCommand}`]),
      ]),
  ...(referencesLeft ? [oneLine(`stay, since only customers are taken back: ${namesText(referencesLeft)}`)] : []),
]
