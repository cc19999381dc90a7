import type {UndoPlan} from '../../transfer/undo.js'
import {oneLine} from '../process/sanitize.js'
import {namesText} from './cause-lines.js'

/** What an undo of a run would do and did, for people. */

const people = (count: number): string => (count === 1 ? '1 customer' : `${count} customers`)

export function undoPlanLines(plan: UndoPlan): string {
  const {read, restore, unchanged, conflict, refused} = plan
  const counts = [`${plan.delete} delete`, `${restore} restore`, `${unchanged} unchanged`, `${conflict} refused`]
  return [
    `${people(read)} of the job ${plan.undoOf}: ${counts.join(', ')}`,
    ...refused.map(({customer, reason}) => oneLine(`refused   ${customer}: ${reason}`)),
    ...(conflict > refused.length ? [`refused   and ${conflict - refused.length} more (the report lists each)`] : []),
    ...openLines(plan),
  ].join('\n')
}

export function undoQuestion(plan: UndoPlan): string {
  const {undoOf, restore, conflict} = plan
  const refused = conflict === 0 ? '' : `, and leave ${people(conflict)} alone that cannot be taken back`
  return `Take back the job ${undoOf}: delete ${people(plan.delete)} that it created, restore ${people(restore)} that it changed${refused}?`
}

/** Lines about what an undo leaves: rows whose outcome is unknown, and references that were created for the rows. */
export const openLines = ({
  open,
  undoOf,
  referencesLeft,
}: Pick<UndoPlan, 'open' | 'undoOf' | 'referencesLeft'>): string[] => [
  ...(open === 0
    ? []
    : [
        `not taken back: ${open} rows that ${undoOf} may have sent when it was killed; continue it with --resume, and repeat this`,
      ]),
  ...(referencesLeft ? [oneLine(`stay, since only customers are taken back: ${namesText(referencesLeft)}`)] : []),
]
