import {defined} from '../../../domain/equal.js'
import {InputError} from '../../files/input-error.js'
import {chosenEncoding, detectEncoding} from '../encoding/encodings.js'
import type {Source, SourceOptions} from '../row.js'
import {formatByContent, type RowFormat} from '../row-format.js'
import {isArchive} from '../workbook/archive.js'
import {isGzip, type StoredFile, storedBytes, wholePieceBytes} from './stored-bytes.js'
import {refuseUnsupported, unsupported} from './unsupported.js'

type Content = Pick<Source, 'format' | 'encoding' | 'because' | 'compression' | 'sheet'>

const headBytes = 4096

/** Looks at a file and tells how it is read. Throws InputError for what holds no rows, and names what it is instead. */
export async function contentOf(
  file: StoredFile,
  named: RowFormat | undefined,
  options: SourceOptions,
): Promise<Content> {
  const {name} = file
  const stored = await headOf(file)
  const packed = isGzip(stored) ? ({compression: 'gzip'} as const) : {}
  const unpacked = {...file, ...packed}
  const head = isGzip(stored) ? await headOf(unpacked) : stored
  if (head.length === 0) throw new InputError(`${name} is empty.`, {file: name, remedy: 'Export it again.'})
  if (isGzip(head)) throw unsupported(name, 'compressed twice', 'unpack it first: gunzip FILE')
  if (isArchive(head)) {
    if (isGzip(stored)) throw unsupported(name, 'a compressed workbook or archive', 'unpack it first: gunzip FILE')
    const idle = (['format', 'encoding'] as const).find((option) => options[option] !== undefined)
    if (idle !== undefined)
      throw new InputError(`${name} is a workbook, which says itself how it is read.`, {
        file: name,
        remedy: `Leave --${idle} out.`,
      })
    return sheetOf(file, options.sheet)
  }
  if (options.sheet !== undefined) {
    throw new InputError(`${name} is no workbook and has no sheets.`, {file: name, remedy: 'Leave --sheet out.'})
  }
  refuseUnsupported(name, head)
  const {encoding: label} = options
  const encoding =
    label === undefined
      ? await detectEncoding(name, head, () => storedBytes(unpacked, wholePieceBytes))
      : chosenEncoding(name, head, label)
  const text = new TextDecoder(encoding.encoding).decode(head)
  if (text === '') {
    throw new InputError(`${name} is empty but for a byte order mark.`, {file: name, remedy: 'Export it again.'})
  }
  return {...encoding, ...packed, format: options.format ?? formatByContent(text, named)}
}

async function sheetOf(file: StoredFile, named: string | undefined): Promise<Content> {
  const {chosenSheet, openWorkbook} = await import('../workbook/workbook.js')
  const workbook = await openWorkbook(file)
  try {
    const {sheet, because} = chosenSheet(workbook, named)
    return {format: 'xlsx', encoding: 'utf-8', sheet: sheet.name, ...defined({because})}
  } finally {
    workbook.archive.close()
  }
}

async function headOf(file: StoredFile): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of storedBytes(file, headBytes)) {
      parts.push(chunk)
      size += chunk.length
      if (size >= headBytes) break
    }
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError(`${file.name} cannot be read.`, {file: file.name}, {cause})
  }
  return Buffer.concat(parts).subarray(0, headBytes)
}
