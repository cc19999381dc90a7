import {usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import type {Form} from './view.js'

/** The form of a report: the one that its own flag names, or JSON for `--output json`. Throws usage for any other form. */
export function reportForm<F extends string>(
  named: F | undefined,
  form: Form | undefined,
  flags: string,
): F | 'text' | 'json' {
  if (named !== undefined) return named
  if (form === undefined || form === 'table' || form === 'card') return 'text'
  if (form === 'json') return 'json'
  throw usage(`A report has no form '${form}'.`, `Use ${flags}.`)
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
])

/** Text in XML 1.0. `oneLine` leaves nothing that it forbids but the two noncharacters. */
export const xml = (text: string): string =>
  oneLine(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? '')

/** One suite in JUnit XML: its counts, which the root repeats, and the lines of its cases. */
export function junitXml(
  suite: string,
  counts: Readonly<Record<string, number | string>>,
  lines: readonly string[],
): string {
  const attributes = Object.entries(counts).map(([name, value]) => `${name}="${value}"`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes.join(' ')}>`,
    `  <testsuite name="${xml(suite)}" ${attributes.join(' ')}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n')
}

/** The message of a workflow command of GitHub. Lines are told apart before anything is escaped, percent signs first. */
export const githubMessage = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .split(/\r?\n|\r/)
    .map(oneLine)
    .join('%0A')

/** The value of a property of such a command. */
export const githubProperty = (text: string): string =>
  githubMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
