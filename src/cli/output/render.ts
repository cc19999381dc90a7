import {jsonText, manyLines, oneLine} from '../process/sanitize.js'
import {cardText} from './card.js'
import {csvText} from './csv.js'
import {cellText, project, valueAt} from './fields.js'
import {tableText} from './table.js'
import type {Form, Style, View} from './view.js'

/** A page of documents as the API wraps it. */
export interface Page {
  readonly results: readonly unknown[]
  readonly [member: string]: unknown
}

/** One document in the asked form, ending with a line feed. */
export async function documentText(document: unknown, form: Form, view: View, style: Style): Promise<string> {
  if (form === 'card') return cardText(document, view, style)
  return listText([document], form, view, style, chosen(document, style))
}

/** A page of documents in the asked form; JSON and YAML show the whole wrapper. */
export async function pageText(page: Page, form: Form, view: View, style: Style): Promise<string> {
  const whole = style.fields ? {...page, results: page.results.map((document) => chosen(document, style))} : page
  return listText(page.results, form, view, style, whole)
}

async function listText(
  documents: readonly unknown[],
  form: Form,
  view: View,
  style: Style,
  whole: unknown,
): Promise<string> {
  switch (form) {
    case 'json':
      return `${jsonText(whole, 2)}\n`
    case 'jsonl':
      return documents.map((document) => `${jsonText(chosen(document, style))}\n`).join('')
    case 'csv':
      return safe(csvText(documents, style), style)
    case 'yaml':
      return safe(await yamlText(whole), style)
    case 'ids':
      return documents.map((document) => `${oneLine(idOf(document, view))}\n`).join('')
    case 'card':
      return (await Promise.all(documents.map((document) => cardText(document, view, style)))).join('\n')
    case 'table':
      return tableText(documents, view, style)
  }
}

const chosen = (document: unknown, style: Style): unknown => (style.fields ? project(document, style.fields) : document)

const idOf = (document: unknown, view: View): string => cellText(valueAt(document, view.id ?? 'id'))

/** Sanitizes formats with raw text for a terminal only, so that a pipe gets the exact data. */
const safe = (text: string, style: Style): string => (style.terminal ? manyLines(text.replaceAll('\r\n', '\n')) : text)

async function yamlText(value: unknown): Promise<string> {
  const {stringify} = await import('yaml')
  return stringify(value, {lineWidth: 0})
}
