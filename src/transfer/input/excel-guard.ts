/**
 * Spreadsheets run a cell that begins like a formula. For people such cells are written with an apostrophe in front;
 * reading takes exactly one away. Cells that already have the apostrophe get one more in every table that is written,
 * guarded or not, so that reading never has to know which kind it reads.
 */
const formula = /^[ \u3000]*[=+\-@\t\r＝＋－＠]/
const guarded = /^'+[ \u3000]*[=+\-@\t\r＝＋－＠]/

/** A cell as it is written; `forPeople` guards formulas. */
export const guard = (text: string, forPeople: boolean): string =>
  guarded.test(text) || (forPeople && formula.test(text)) ? `'${text}` : text

/** Undoes `guard`. */
export const unguard = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
