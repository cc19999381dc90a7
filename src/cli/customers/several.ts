import {reportOf} from '../output/error-report.js'
import {type View, withoutModel} from '../output/view.js'
import type {Output} from '../run/output.js'

/** What a write did to one of several customers: the document that it left, and a line about it. */
export interface Change {
  readonly document: unknown
  readonly line: string
}

/** What could not be done, by the reference that was given. */
export interface Failed {
  readonly id: string
  readonly message: string
}

/**
 * Acts on each of several customers in turn. The error of a single one is thrown as it is; of several it is kept, and the
 * others go on: what was done is shown, and what failed beside it.
 */
export async function each<T, R>(
  customers: readonly T[],
  nameOf: (customer: T) => string,
  act: (customer: T) => Promise<R>,
): Promise<{readonly results: readonly R[]; readonly failed: readonly Failed[]}> {
  const results: R[] = []
  const failed: Failed[] = []
  for (const customer of customers) {
    try {
      results.push(await act(customer))
    } catch (error) {
      if (customers.length === 1) throw error
      failed.push({id: nameOf(customer), message: reportOf(error).message})
    }
  }
  return {results, failed}
}

/** Lines about what failed. */
export const failedLines = (failed: readonly Failed[]): readonly string[] =>
  failed.map(({id, message}) => `not done: ${id}: ${message}`)

/** Shows changes: the one document, or all as a page with what failed; for people the lines. */
export async function showChanges(
  output: Output,
  {results: changes, failed}: {readonly results: readonly Change[]; readonly failed: readonly Failed[]},
  view: View,
): Promise<void> {
  const [only] = changes
  if (only && changes.length === 1 && failed.length === 0) {
    await output.change(only.document, view, [only.line])
    return
  }
  const results = changes.map(({document}) => document)
  for (const document of results) output.masked(document)
  if (output.form === undefined) await output.sentences(changes.map(({line}) => `${line}\n`).join(''))
  else await output.page({count: results.length, results, failed}, withoutModel(view))
}
