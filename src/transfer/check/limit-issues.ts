import {limits} from '../../limits.js'
import {uncleanBecause} from '../input/json-hygiene.js'
import type {Issue} from '../input/row.js'

const none: readonly never[] = []

/**
 * What the API refuses in any body whatever it means, found in a draft: texts too long, too many members and elements.
 */
export function limitIssues(draft: object, columnOf: (path: string) => string): readonly Issue[] {
  const code = 'InvalidJsonInput'
  // Cells of a table may hold JSON too, which nothing has looked at so far; deep ones must not be walked.
  const unclean = uncleanBecause(draft)
  if (unclean !== undefined) return [{code, message: `The row cannot be used: ${unclean}.`}]
  const {values, hasLongText} = extentOf(draft)
  const isWide = values > limits.jsonValues
  if (!isWide && !hasLongText) return none
  const wide = `The row has more than ${limits.jsonValues} members and elements.`
  return [
    ...longTexts(draft, '').map((path) => ({
      column: columnOf(path),
      code,
      message: `${path} is longer than ${limits.textCharacters} characters.`,
    })),
    ...(isWide ? [{code, message: wide}] : none),
  ]
}

/** The number of members and elements, and whether a text is too long: paths are made only where one is shown. */
function extentOf(draft: object): {readonly values: number; readonly hasLongText: boolean} {
  let [values, hasLongText] = [0, false]
  const visit = (value: object): void => {
    for (const member of Object.values(value) as unknown[]) {
      values += 1
      if (typeof member === 'string') hasLongText ||= member.length > limits.textCharacters
      else if (typeof member === 'object' && member !== null) visit(member)
    }
  }
  visit(draft)
  return {values, hasLongText}
}

function longTexts(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.length > limits.textCharacters ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => longTexts(member, path === '' ? name : `${path}.${name}`))
}
