import {pageText} from '../../../src/cli/output/render.js'
import type {Style, View} from '../../../src/cli/output/view.js'
import {samples} from './samples.js'
import {exportedViews} from './views.js'

/** The widths of terminals whose screens are kept. */
export const widths = [60, 80, 120] as const

export const goldenPath = (width: number): string => `test/cli/screens/at-${width}-columns.txt`

const at = (columns: number, onHidden: (headers: readonly string[]) => void): Style => ({
  terminal: true,
  columns,
  colour: false,
  header: true,
  now: Date.parse('2026-11-22T12:00:00.000Z'),
  onHidden,
})

/** The table of a view, and which of its columns the terminal has no room for. */
export async function screenOf(
  view: View,
  documents: readonly unknown[],
  columns: number,
): Promise<{readonly text: string; readonly hidden: readonly string[]}> {
  let hidden: readonly string[] = []
  const text = await pageText(
    {results: documents},
    'table',
    view,
    at(columns, (headers) => {
      hidden = headers
    }),
  )
  return {text, hidden}
}

/** All tables at one width. Throws for a view without sample documents. */
export async function screensAt(width: number, root: string): Promise<string> {
  const screens = []
  for (const [name, view] of await exportedViews(root)) {
    const documents = samples[name]
    if (!documents) throw new Error(`${name} has no documents in test/cli/screens/samples.ts`)
    const {text, hidden} = await screenOf(view, documents, width)
    screens.push(`== ${name}\n${text}${hidden.length === 0 ? '' : `-- left out: ${hidden.join(', ')}\n`}`)
  }
  return screens.join('\n')
}
