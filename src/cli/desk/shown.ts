import type {CardSection} from '../customers/card.js'
import {differenceLines, differences} from '../customers/preview.js'
import {type ErrorReport, headline} from '../output/error-report.js'
import {wrappedLines} from '../output/wrap.js'
import {oneLine} from '../process/sanitize.js'
import type {Opened, Option} from './act.js'
import type {Ran} from './service.js'

export type Block =
  | {readonly kind: 'card'; readonly opened: Opened}
  | {readonly kind: 'head'; readonly opened: Opened}
  | {readonly kind: 'result'; readonly ran: Ran}
  | {readonly kind: 'details'; readonly opened: Opened; readonly command: string | undefined}
  | {readonly kind: 'trouble'; readonly report: ErrorReport}
  | {readonly kind: 'changes'; readonly before: Opened; readonly after: Opened}
  | {readonly kind: 'note'; readonly text: string}

/** The menu as one line: what has room, in its order, and the keys that lead on. */
export function menuLine(options: readonly Option[], last: readonly Option[], columns: number): string {
  const cells = (of: readonly Option[]): string => of.map(({key, label}) => `[${key}] ${label}`).join('  ')
  const fits = options.findLastIndex((_, at) => cells([...options.slice(0, at + 1), ...last]).length < columns)
  return `${cells([...options.slice(0, fits + 1), ...last])}\n`
}

/** The options of the menu in columns, each with its key in brackets: `[r] reset link`. */
export function menuText(options: readonly Option[], columns: number): string {
  const cells = options.map(({key, label}) => `[${key}] ${label}`)
  const width = Math.max(...cells.map((cell) => cell.length)) + 2
  const perLine = Math.max(1, Math.floor((columns + 2) / width))
  const lines = Array.from({length: Math.ceil(cells.length / perLine)}, (_, line) =>
    cells
      .slice(line * perLine, (line + 1) * perLine)
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

interface TextStyle {
  readonly columns: number
  readonly masked: (document: unknown) => unknown
  readonly bold: (text: string) => string
  readonly alert: (text: string) => string
  /** Columns that a text takes, styles aside. */
  readonly widthOf: (text: string) => number
}

export function shownText(shown: Block, style: TextStyle): string {
  switch (shown.kind) {
    case 'card':
      return `\n${compactCard(shown.opened.card, style)}`
    case 'head':
      return `\n${fitted(headText(shown.opened.card, style), style)}\n`
    case 'result':
      return `\n${resultText(shown.ran, style)}`
    case 'details':
      return `\n${compactCard(shown.opened.details, style)}${shown.command === undefined ? '' : `the command: ${oneLine(shown.command)}\n`}`
    case 'trouble':
      return `\n${troubleLines(shown.report)
        .map((line) => `${fitted(oneLine(line), style)}\n`)
        .join('')}`
    case 'changes': {
      const lines = differenceLines(differences(shown.before.customer, shown.after.customer), style)
      const {version} = shown.after.customer
      if (lines.length === 0) return `\nThe customer is at version ${version}, and nothing on the card has changed.\n`
      return `\nThe customer is at version ${version} now. Changed since the card was read:\n${fitted(`${lines.join('\n')}\n`, style)}`
    }
    case 'note':
      return `${fitted(`${oneLine(shown.text)}\n`, style)}`
  }
}

/** Whether a hint is useful at the desk, which has keys in place of commands. */
const isForDesk = (hint: string): boolean => !/--\w|`|frontdesk |\bREF\b/.test(hint)

const troubleLines = (report: ErrorReport): readonly string[] => [
  headline(report),
  ...report.hints.filter(isForDesk),
  ...(report.correlationId === undefined ? [] : [`request ${report.correlationId}`]),
]

/** What a clerk must not miss. */
const alerts = /email NOT verified|EMAIL CHANGED|LOCKED OUT/g

/** Sections that are lists; the lines of the others stand side by side. */
const lists: ReadonlySet<string> = new Set(['addresses', 'recent messages'])
const titles = new Map([['recent messages', 'messages']])
const labelWidth = 11

/** The card in as few lines as it needs: titles in a column, and what belongs together on one line. */
function compactCard(sections: readonly CardSection[], style: TextStyle): string {
  const [[, [name = '', ...about]] = ['', []], ...rest] = sections
  const head = [style.bold(name), ...about.map((line) => line.replace(alerts, style.alert))]
    .map((line) => `${fitted(line, style)}\n`)
    .join('')
  return head + rest.map((section) => sectionText(section, style)).join('')
}

/** One line of the card: who it is, and what must not be missed. */
function headText(sections: readonly CardSection[], {bold, alert}: TextStyle): string {
  const [[, [name = '', flags = '']] = ['', []]] = sections
  const [signIn = ''] = sections.find(([title]) => title === 'sign-in')?.[1] ?? []
  const told = [...flags.split(' · ').filter((flag) => /^email /i.test(flag)), signIn.split(/[;,]/)[0] ?? '']
  return [bold(name), ...told.filter(Boolean).map((one) => one.replace(alerts, alert))].join(' · ')
}

function sectionText([title, lines]: CardSection, {columns, widthOf, alert}: TextStyle): string {
  const shown = title === 'recent messages' ? lines.slice(0, 3) : lines
  const room = Math.max(labelWidth, columns - labelWidth)
  return (lists.has(title) ? shown : [shown.join(' · ')])
    .map((line) => (title === 'sign-in' ? line.replace(alerts, alert) : line))
    .flatMap((line) => wrappedLines(line, room, widthOf).split('\n'))
    .map((line, at) => `${(at === 0 ? (titles.get(title) ?? title) : '').padEnd(labelWidth)}${line}\n`)
    .join('')
}

function resultText({act, text}: Ran, style: TextStyle): string {
  const printed = text.trim()
  const isHead = act.none !== undefined && !printed.includes('\n')
  const result = isHead ? act.none : printed === '' ? `${act.label}: done` : text.trimEnd()
  return fitted(`${result}\n`, style)
}

const fitted = (text: string, {columns, widthOf}: TextStyle): string => wrappedLines(text, columns, widthOf)
