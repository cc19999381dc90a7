import type {CardSection} from '../customers/card.js'
import {differenceLines, differences} from '../customers/preview.js'
import {reportLines} from '../output/error-report.js'
import {oneLine} from '../render/sanitize.js'
import {wrappedLines} from '../render/wrap.js'
import type {Block, Ran} from './state.js'

/** What the desk shows, as text. */

export interface Sight {
  readonly columns: number
  readonly profile: string
  readonly masked: (document: unknown) => unknown
  readonly bold: (text: string) => string
  /** Columns that a text takes, styles aside. */
  readonly widthOf: (text: string) => number
}

/** The text of what is shown, fitted to the terminal. */
export function shownText(shown: Block, sight: Sight): string {
  switch (shown.kind) {
    case 'card':
      return `\n${compactCard(shown.opened.card, sight)}`
    case 'result':
      return `\n${resultText(shown.ran, sight)}`
    case 'trouble':
      return `\n${fitted(reportLines(shown.report, sight.profile), sight)}`
    case 'changes': {
      const lines = differenceLines(differences(shown.before.customer, shown.after.customer), sight)
      const {version} = shown.after.customer
      if (lines.length === 0) return `\nThe customer is at version ${version}, and nothing on the card has changed.\n`
      return `\nThe customer is at version ${version} now. Changed since the card was read:\n${fitted(`${lines.join('\n')}\n`, sight)}`
    }
    case 'note':
      return `${fitted(`${oneLine(shown.text)}\n`, sight)}`
  }
}

/** Sections that are lists; the lines of the others stand side by side. */
const lists: ReadonlySet<string> = new Set(['addresses', 'recent messages'])
const titles = new Map([['recent messages', 'messages']])
const maxMessages = 3
const labelWidth = 11

/** The card in as few lines as it needs: titles in a column, and what belongs together on one line. */
function compactCard(sections: readonly CardSection[], sight: Sight): string {
  const [[, [name = '', ...about]] = ['', []], ...rest] = sections
  const head = [sight.bold(name), ...about].map((line) => `${fitted(line, sight)}\n`).join('')
  return head + rest.map((section) => sectionText(section, sight)).join('')
}

function sectionText([title, lines]: CardSection, {columns, widthOf}: Sight): string {
  const shown = title === 'recent messages' ? lines.slice(0, maxMessages) : lines
  const room = Math.max(labelWidth, columns - labelWidth)
  return (lists.has(title) ? shown : [shown.join(' · ')])
    .flatMap((line) => wrappedLines(line, room, widthOf).split('\n'))
    .map((line, at) => `${(at === 0 ? (titles.get(title) ?? title) : '').padEnd(labelWidth)}${line}\n`)
    .join('')
}

function resultText({act, text, command}: Ran, sight: Sight): string {
  const printed = text.trimEnd()
  return `${fitted(`${printed === '' ? `${act.label}: done` : printed}\n`, sight)}the command: ${oneLine(command)}\n`
}

const fitted = (text: string, {columns, widthOf}: Sight): string => wrappedLines(text, columns, widthOf)
