import type {Client} from '../client/client.js'
import type {Customer} from '../domain/customers/customer.js'
import {csvLine} from './files/csv-line.js'
import {createPrivateFile} from './files/private-file.js'
import {openSpool} from './files/spool.js'
import {draftShape, flatten, type Shape, shapeIn} from './mapping/draft-shape.js'
import {allCustomers, type ReadOptions} from './output/all-customers.js'
import type {ExportFormat} from './output/export-format.js'
import {withReferences} from './output/references.js'

/** Where an export goes: written in order, waiting for who reads. */
export interface Sink {
  write(text: string): Promise<void>
}

export interface ExportTexts {
  cell(text: string): string
  json(document: object): string
}

const plain: ExportTexts = {cell: (text) => text, json: (document) => JSON.stringify(document)}

export interface ExportOptions extends ReadOptions {
  readonly format: ExportFormat
  /** Guards cells that a spreadsheet would run; importing undoes it. */
  readonly excelSafe?: boolean
  /** What becomes of each customer on its way, such as a pseudonym of it. */
  readonly view?: (customer: Customer) => object
  /** Converts cells and documents to text, such as to escape them for a terminal; absent: unchanged. */
  readonly texts?: ExportTexts | undefined
  readonly onEvent?: (event: {readonly type: 'exported'; readonly rows: number}) => void
}

const tellEvery = 500

/** Passwords are never exported, not even their masks; expanded resources are not the customer's own. */
export const exportedView = ({password: _, ...customer}: Customer): object =>
  withReferences(customer, ({obj: _, ...reference}) => reference) as object

/** Writes all customers to a sink, in constant memory. Returns their number. */
export async function exportCustomers(client: Client, sink: Sink, options: ExportOptions): Promise<number> {
  const {format, view = exportedView, onEvent} = options
  let rows = 0
  async function* documents(): AsyncGenerator<object> {
    for await (const customer of allCustomers(client, options)) {
      options.signal?.throwIfAborted()
      rows += 1
      if (rows % tellEvery === 0) onEvent?.({type: 'exported', rows})
      yield view(customer)
    }
  }
  await writers[format](documents(), sink, options)
  return rows
}

/**
 * Writes all customers to a private file that appears when it is complete. Returns their number. Throws InputError for a file
 * that exists, unless `replace` is set.
 *
 *     await exportToFile(client, 'customers.csv', {format: 'csv'})
 */
export async function exportToFile(
  client: Client,
  path: string,
  options: ExportOptions & {readonly replace?: boolean},
): Promise<number> {
  return createPrivateFile(path, options.replace ?? false, (file) => exportCustomers(client, file, options))
}

type Writer = (documents: AsyncIterable<object>, sink: Sink, options: ExportOptions) => Promise<void>

const jsonLines: Writer = async (documents, sink, {texts = plain}) => {
  for await (const document of documents) await sink.write(`${texts.json(document)}\n`)
}

/** An array with one element a line, so that it can be compared line by line. */
const jsonArray: Writer = async (documents, sink, {texts = plain}) => {
  let before = '[\n'
  for await (const document of documents) {
    await sink.write(before + texts.json(document))
    before = ',\n'
  }
  await sink.write(before === '[\n' ? '[]\n' : '\n]\n')
}

/** A table must know all its columns before its first row, so the customers wait on the disk. */
const table: Writer = async (documents, sink, {excelSafe = false, texts = plain}) => {
  const spool = await openSpool()
  try {
    const paths = new Set<string>()
    for await (const document of documents) {
      const cells = [...flatten(document)].map(([path, cell]) => [path, texts.cell(cell)] as const)
      for (const [path] of cells) paths.add(path)
      await spool.add(Object.fromEntries(cells))
    }
    await spool.close()
    const columns = inColumnOrder(paths)
    if (columns.length > 0) await sink.write(csvLine(columns.map(texts.cell), {excelSafe}))
    for await (const cells of spool.documents()) {
      const row = new Map(Object.entries(cells as Record<string, string>))
      await sink.write(
        csvLine(
          columns.map((column) => row.get(column)),
          {excelSafe},
        ),
      )
    }
  } finally {
    await spool.dispose()
  }
}

const writers: Readonly<Record<ExportFormat, Writer>> = {csv: table, json: jsonArray, jsonl: jsonLines}

/** Server-owned members come first, as the API shows them. */
const firstColumns = ['id', 'version', 'versionModifiedAt', 'lastMessageSequenceNumber', 'createdAt', 'lastModifiedAt']
const lastColumns = ['createdBy', 'lastModifiedBy']

const topLevel: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...firstColumns.map((name) => [name, {kind: 'leaf', leaf: 'text'}] as const),
  ...draftShape,
  ...lastColumns.map((name) => [name, {kind: 'open', leaf: 'text'}] as const),
])

type Rank = readonly (number | string)[]

function rankOf(path: string): Rank {
  const rank: (number | string)[] = []
  let shape: Shape | undefined = {kind: 'members', members: topLevel}
  for (const segment of path.split('.')) {
    if (shape?.kind === 'members') {
      const at = [...shape.members.keys()].indexOf(segment)
      rank.push(at < 0 ? shape.members.size : at, segment)
    } else rank.push(shape?.kind === 'each' ? Number(segment) : segment)
    shape = shapeIn(shape, segment)
  }
  return rank
}

function compare(one: Rank, other: Rank): number {
  for (const [at, left] of one.entries()) {
    const right = other[at]
    if (right === undefined) return 1
    if (left !== right) return left < right ? -1 : 1
  }
  return one.length - other.length
}

/** Columns in an order that does not depend on which customer came first. */
const inColumnOrder = (paths: Iterable<string>): string[] =>
  [...paths]
    .map((path) => ({path, rank: rankOf(path)}))
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({path}) => path)
