import {uncleanBecause} from './json-hygiene.js'
import type {Place, SourceRow} from './row.js'

/** One JSON text as a row. What V8 says of a syntax error quotes the text, which may hold a password: only its place is kept. */
export function rowOf(text: string, place: Place): SourceRow {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    return broken(place, `is not valid JSON${at === undefined ? '' : whereIs(text, Number(at), place.line)}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return broken(place, 'is not a JSON object')
  }
  const unclean = uncleanBecause(document)
  if (unclean !== undefined) return broken(place, `cannot be used: ${unclean}`)
  return {kind: 'document', place, document: document as Record<string, unknown>}
}

const broken = (place: Place, what: string): SourceRow => ({
  kind: 'broken',
  place,
  issue: {code: 'InvalidJsonInput', message: `The row ${what}.`},
})

function whereIs(text: string, at: number, firstLine: number): string {
  const before = text.slice(0, at).split('\n')
  return ` (line ${firstLine + before.length - 1}, character ${(before.at(-1) ?? '').length + 1})`
}
