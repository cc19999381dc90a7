import {defined} from '../../domain/equal.js'
import {limits} from '../../limits.js'
import {uncleanBecause} from '../input/json-hygiene.js'
import type {Issue} from '../input/row.js'

/** What the API refuses in any body whatever it means, found in a draft: texts too long, too many members and elements. */
export function limitIssues(draft: object, columnOf: (path: string) => string): Issue[] {
  const issues: Issue[] = []
  let values = 0
  const add = (message: string, column?: string): void => {
    issues.push({...defined({column}), code: 'InvalidJsonInput', message})
  }
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      if (value.length <= limits.textCharacters) return
      add(`${path} is longer than ${limits.textCharacters} characters.`, columnOf(path))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        values += 1
        visit(member, path === '' ? name : `${path}.${name}`)
      }
    }
  }
  // Cells of a table may hold JSON too, which nothing has looked at so far; deep ones must not be walked.
  const unclean = uncleanBecause(draft)
  if (unclean !== undefined) add(`The row cannot be used: ${unclean}.`)
  else visit(draft, '')
  if (values > limits.jsonValues) add(`The row has more than ${limits.jsonValues} members and elements.`)
  return issues
}
