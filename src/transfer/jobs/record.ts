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
  const {row} = checked
  const empty = row.kind === 'document' ? emptyMembers(row.document) : []
  const lines: readonly (Line & {readonly line: number})[] = row.kind === 'broken' ? [] : (row.continuation ?? [])
  const further = lines.map((one) => ({line: one.line, record: recordOf(one, checked)}))
  return {
    record: recordOf(row, checked),
    ...namedBy(checked),
    ...(empty.length > 0 ? {empty} : {}),
    ...(further.length > 0 ? {further} : {}),
  }
}

type Line = {readonly document: object} | {readonly cells?: readonly (Cell | undefined)[]}

function recordOf(line: Line, {columns = [], mapper}: CheckedRow): Record<string, string> {
  const values =
    'document' in line
      ? [...flatten(line.document)]
      : columns.flatMap((column, at) => {
          const cell = line.cells?.[at]
          return cell === undefined ? [] : [[column, textOfCell(cell)] as const]
        })
  return Object.fromEntries(values.filter(([name]) => !mapper.isSecret(name)))
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
