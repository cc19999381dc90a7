/**
 * A line of a table that an import reads back. An absent value is an empty cell, an empty text is `""`, so that both come
 * back; cells that look guarded get one apostrophe more. `excelSafe` guards cells that a spreadsheet would run.
 */
export const csvLine = (cells: readonly (string | undefined)[], {excelSafe = false} = {}): string =>
  csvRow(cells.map((cell) => (cell === undefined ? undefined : guard(cell, excelSafe))))

/** One record of RFC 4180. Cells with separators of any kind, line breaks or blanks at an end are quoted. */
export const csvRow = (cells: readonly (string | undefined)[]): string => `${cells.map(quoted).join(',')}\r\n`

function quoted(text: string | undefined): string {
  if (text === undefined) return ''
  const needsQuotes = text === '' || /[",\r\n\t;|]/.test(text) || text !== text.trim()
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Spreadsheets run a cell that begins like a formula, some of them behind blanks, what nobody sees, or a separator. For people such cells are written with an apostrophe in front;
 * reading takes exactly one away. Cells that already have the apostrophe get one more in every table that is written,
 * guarded or not, so that reading never has to know which kind it reads.
 */
const formula = /^(?:[\s\p{Cc}\p{Cf};,]*[=+\-@＝＋－＠]|[\t\r\n])/u
const guarded = new RegExp(`^'+${formula.source.slice(1)}`, 'u')

/** A cell as it is written; `forPeople` guards formulas. */
export const guard = (text: string, forPeople: boolean): string =>
  guarded.test(text) || (forPeople && formula.test(text)) ? `'${text}` : text

export const unguard = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
