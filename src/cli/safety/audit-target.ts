import type {Client} from '../../client/client.js'
import {customerOf} from '../customers/calls.js'
import {parseRef} from '../input/refs.js'
import type {AuditLine} from './audit.js'

/**
 * The names under which the audit log may have a resource: as it was typed, and the id and key of the customer whom it
 * refers to. The project is asked only where no line has what was typed. Throws not found, or ambiguous.
 */
export async function auditTargets(
  text: string,
  lines: readonly AuditLine[],
  client: () => Promise<Client>,
): Promise<ReadonlySet<string>> {
  const typed = text.replace(/^id=/, '')
  if (lines.some(({target}) => target === typed)) return new Set([typed])
  const ref = parseRef(text)
  // The log is of this machine alone: an id that it does not have needs no question.
  if (ref.by === 'id') return new Set([typed])
  const {id, key} = await customerOf(await client(), ref)
  return new Set([id, ...(key === undefined ? [] : [`key=${key}`])])
}
