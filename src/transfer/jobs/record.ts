import {Unreachable as NoAnswer} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {type Cell, textOfCell} from '../input/cell.js'
import {flatten} from '../mapping/draft-shape.js'
import {emptyMembers} from '../mapping/empty-members.js'
import {UnexpectedResponse} from '../send/sender.js'
import type {RowFailure, RowLine} from './journal-lines.js'

/** What names a row where its line does not. */
export const namedBy = ({place: {customer}}: CheckedRow): Pick<RowLine, 'customer'> => defined({customer})

/** What the journal keeps of a failed row, by its own columns and without passwords, so that it can be reported. */
export function reportedRow(checked: CheckedRow): Pick<RowLine, 'customer' | 'record' | 'further' | 'empty'> {
  const {row, columns, mapper} = checked
  const isDocument = row.kind === 'document'
  const empty = isDocument ? emptyMembers(row.document) : []
  const further = furtherOf(checked)
  return {
    record: isDocument ? membersByPath(row.document, mapper) : cellsByColumn(row.cells ?? [], columns, mapper),
    ...namedBy(checked),
    ...(empty.length > 0 ? {empty} : {}),
    ...(further.length > 0 ? {further} : {}),
  }
}

const membersByPath = (document: object, mapper: CheckedRow['mapper']): Record<string, string> =>
  Object.fromEntries([...flatten(document)].filter(([path]) => !mapper.isSecret(path)))

function cellsByColumn(
  cells: readonly (Cell | undefined)[],
  columns: CheckedRow['columns'],
  mapper: CheckedRow['mapper'],
): Record<string, string> {
  const kept = (columns ?? []).flatMap((column, at) => {
    const cell = cells[at]
    return cell === undefined || mapper.isSecret(column) ? [] : [[column, textOfCell(cell)] as const]
  })
  return Object.fromEntries(kept)
}

function furtherOf({row, columns, mapper}: CheckedRow): NonNullable<RowLine['further']> {
  if (row.kind === 'broken') return []
  if (row.kind === 'cells')
    return (row.continuation ?? []).map(({line, cells}) => ({line, record: cellsByColumn(cells, columns, mapper)}))
  return (row.continuation ?? []).map(({line, document}) => ({line, record: membersByPath(document, mapper)}))
}

/** Removes passwords from the text of a server, which should have none. */
export function withoutSecrets(failed: RowFailure | undefined, {draft}: CheckedRow): RowFailure | undefined {
  const secrets = [draft.password, draft.passwordHash].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return (
    failed && {...failed, message: secrets.reduce((text, secret) => text.replaceAll(secret, '****'), failed.message)}
  )
}

const textOf = ({message, detailedErrorMessage}: ApiError['errors'][number]): string =>
  typeof detailedErrorMessage === 'string' ? `${message} ${detailedErrorMessage}` : message

/** What a refusal means to one row; nothing for errors that are not about rows. */
export function failureOf(error: unknown): RowFailure | undefined {
  if (error instanceof ApiError) {
    const message = error.errors.map(textOf).join(' ')
    const {code, correlationId} = error
    return {outcome: 'failed', code, message, ...defined({correlationId})}
  }
  if (error instanceof NoAnswer) {
    const code = error.sent ? 'UnknownOutcome' : 'Unreachable'
    return {outcome: 'failed', code, message: error.message, correlationId: error.correlationId}
  }
  if (error instanceof UnexpectedResponse) return {outcome: 'failed', code: 'UnknownOutcome', message: error.message}
  return undefined
}
