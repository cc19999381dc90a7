import {extname} from 'node:path'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type * as Engine from '../../transfer/export.js'
import {type ExportFormat, exportFormats} from '../../transfer/output/export-format.js'
import type {Watermark} from '../../transfer/output/watermark.js'
import type {PageQuery} from '../../transfer/send/customer-calls.js'
import {type QueryFlags, whereOf} from '../input/query-options.js'
import {formTraits} from '../output/view.js'
import {usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import type {Output} from '../run/output.js'
import type {BulkFlags} from './flags.js'
import type {BulkRun} from './rows.js'
import type {Since} from './since.js'

interface ExportFlags extends Pick<BulkFlags, 'where' | 'var' | 'excel-safe' | 'out' | 'yes' | 'retries'> {
  readonly format?: ExportFormat | undefined
  readonly anonymize?: string | undefined
}

/** The format by flag, the name of the file, or the form of the output. */
function formatOf(flags: ExportFlags, form: string | undefined): ExportFormat {
  const {format, out} = flags
  const byName = out === undefined ? undefined : extname(out).slice(1).toLowerCase()
  const found =
    exportFormats.find((known) => known === (format ?? byName)) ?? exportFormats.find((known) => known === form)
  if (flags['excel-safe'] && found !== undefined && !formTraits[found].hasCells)
    throw usage(`--excel-safe has no effect on ${found}.`, 'Use --format csv.')
  if (found) return found
  if (form === undefined) return 'csv'
  throw usage(`Customers cannot be exported as ${form}.`, `Use --format ${exportFormats.join('|')}.`)
}

export function pageQueryOf(flags: Pick<QueryFlags, 'where' | 'var'>): PageQuery {
  const {where, ...variables} = whereOf(flags)
  const named = Object.entries(variables).map(([name, value]) => [name.slice('var.'.length), value] as const)
  return {...defined({where}), variables: Object.fromEntries(named)}
}

const flushAt = 65_536

/** Exports customers. Returns their number. */
export async function runExport(
  {client, onEvent}: BulkRun,
  flags: ExportFlags,
  output: Output,
  since: Since | undefined,
): Promise<number> {
  const engine = await import('../../transfer/export.js')
  const view = await viewOf(engine, flags, output)
  await since?.begin()
  const {query, watermark} = await sinceQuery(pageQueryOf(flags), since)
  const options: Engine.ExportOptions = {
    format: formatOf(flags, output.form),
    excelSafe: flags['excel-safe'] === true,
    // The types of custom fields tell which of them hold texts that people wrote.
    query: flags.anonymize === undefined ? query : {...query, expand: ['custom.type', 'addresses[*].custom.type']},
    view,
    onEvent,
    signal: interruption(),
    ...defined({retries: flags.retries, watermark}),
    ...(output.style.terminal ? {texts: {cell: oneLine, json: (one) => jsonText(one)}} : {}),
  }
  const rows =
    flags.out === undefined
      ? await toStdout(client, options, output)
      : await engine.exportToFile(client, flags.out, {...options, replace: flags.yes === true})
  if (since && watermark) since.reached = watermark.value
  return rows
}

/**
 * The query with the condition of `--since`, and a watermark that follows the reading; without the flag, the query as
 * it is.
 */
export async function sinceQuery(
  query: PageQuery,
  since: Since | undefined,
): Promise<{readonly query: PageQuery; readonly watermark?: Watermark}> {
  if (!since) return {query}
  const sync = await import('../../transfer/output/watermark.js')
  const {from} = since
  return {query: from === undefined ? query : sync.changedSince(query, from), watermark: new sync.Watermark()}
}

async function toStdout(client: Client, options: Engine.ExportOptions, output: Output): Promise<number> {
  const {exportCustomers} = await import('../../transfer/export.js')
  let pending = ''
  const flush = async (): Promise<void> => {
    const text = pending
    pending = ''
    if (text !== '') await output.text(text)
  }
  const write = async (text: string): Promise<void> => {
    pending += text
    if (pending.length >= flushAt) await flush()
  }
  const rows = await exportCustomers(client, {write}, options)
  await flush()
  return rows
}

async function viewOf({exportedView}: typeof Engine, {anonymize}: ExportFlags, output: Output) {
  const {anonymizer} = await import('../../transfer/output/anonymize.js')
  const disguised = anonymize === undefined ? undefined : anonymizer(anonymize)
  return (customer: Customer) => output.masked(exportedView(disguised ? disguised(customer) : customer)) as object
}
