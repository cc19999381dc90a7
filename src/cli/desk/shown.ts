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
    case 'card': {
      const [title = '', ...lines] = fitted(shown.opened.card, sight).split('\n')
      return `\n${sight.bold(title)}\n${lines.join('\n')}`
    }
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

function resultText({act, text, command}: Ran, sight: Sight): string {
  const printed = text.trimEnd()
  return `${fitted(`${printed === '' ? `${act.label}: done` : printed}\n`, sight)}the command: ${oneLine(command)}\n`
}

const fitted = (text: string, {columns, widthOf}: Sight): string => wrappedLines(text, columns, widthOf)
