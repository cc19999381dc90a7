import {InputError} from '../../files/input-error.js'

const asTable = 'save it as .xlsx or as CSV UTF-8'
const unpack = (command: string): string => `unpack it first: ${command}`

type Recognised = readonly [magic: string | RegExp, what: string, wayOut: string]

/** Files that hold no rows which could be read, by their first bytes as ISO 8859-1 text. */
const formats: readonly Recognised[] = [
  ['%PDF-', 'a PDF document', 'it holds no rows; export the data as CSV or .xlsx from where it comes from'],
  ['{\\rtf', 'a Rich Text document', `open it, and ${asTable}`],
  [
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    'an Excel 97 workbook (.xls), a workbook with a password, or a document of Office 97',
    `open it, take the password away if it has one, and ${asTable}`,
  ],
  ['BZh', 'compressed with bzip2', unpack('bunzip2 -c FILE | frontdesk … -')],
  ['\xfd7zXZ\0', 'compressed with xz', unpack('xz -dc FILE | frontdesk … -')],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', unpack('zstd -dc FILE | frontdesk … -')],
  ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive', unpack('7z x FILE')],
  ['Rar!\x1a\x07', 'a RAR archive', unpack('unrar x FILE')],
  ['PAR1', 'a Parquet file', 'export it as CSV or JSON Lines, for example with DuckDB'],
  ['Obj\x01', 'an Avro file', 'export it as CSV or JSON Lines'],
  ['SQLite format 3\0', 'an SQLite database', 'export the table: sqlite3 -header -csv FILE "select * from …"'],
  [/^\0\x01\0\0Standard (?:Jet|ACE) DB/, 'an Access database', `export the table, and ${asTable}`],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF)/, 'a picture or a recording', 'name the file with the rows'],
  [/^.{257}ustar/s, 'a tar archive', unpack('tar -xf FILE')],
  [
    /^(?:--[^\n]*\n|\/\*.*?\*\/;?|(?:SET|USE|LOCK|DROP|BEGIN)\b[^\n]*\n|\s)*(?:CREATE TABLE|INSERT INTO|COPY)\b/is,
    'a dump of SQL commands',
    'load it into a database and export the result of a query as CSV, such as mysql --batch -e "select …" > FILE.tsv',
  ],
  [
    /^(?:#[^\n]*\n|\$[^\n]*\n|\s)*"?(?:INSERT|UPDATE|INSERT_UPDATE|REMOVE)\s+\w+/,
    'an ImpEx file of SAP Commerce, with the items of several types below each other',
    'take the lines of one type into a file of their own, with its attributes as the header, and import that with --map; addresses come along by a join in a map file',
  ],
  [
    /^(?:#[^\n]*\n|\s)*(?:version: *\d+\s+)?(?:#[^\n]*\n|\s)*dn::? /i,
    'an LDIF file of a directory',
    'export the entries as CSV, with a column for each attribute; most directory tools can, such as csvde -f FILE.csv',
  ],
  [/^\s*BEGIN:VCARD\b/i, 'a file of vCards', 'open it in an address book, and export its contacts as CSV'],
  [/^\s*(?:<\?xml.{0,200}?)?<office:document\b/s, 'a flat OpenDocument spreadsheet (.fods)', `open it, and ${asTable}`],
  [
    /^\s*(?:<\?xml.{0,200}?)?(?:<\?mso-application progid="Excel|<(?:ss:)?Workbook\b)/s,
    'an Excel 2003 XML workbook',
    `open it in a spreadsheet program, and ${asTable}`,
  ],
  [
    /^\s*(?:<!--.{0,300}?-->\s*)?<(?:!doctype html|html|head|body|table|meta|style)\b/is,
    'an HTML page, not a table, whatever its name says',
    `open it in a spreadsheet program, and ${asTable}; if it is a sign-in page, export again`,
  ],
]

/** Refuses what is no text with rows, by name and with a way out. `head` is the beginning of the content. */
export function refuseUnsupported(name: string, head: Buffer): void {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  for (const [magic, what, wayOut] of formats) {
    if (typeof magic === 'string' ? text.startsWith(magic) : magic.test(text)) throw unsupported(name, what, wayOut)
  }
}

export const unsupported = (name: string, what: string, wayOut: string): InputError =>
  new InputError(`${name} is ${what}.`, {file: name, remedy: `${wayOut.charAt(0).toUpperCase()}${wayOut.slice(1)}.`})

/** Refuses a ZIP file that is no workbook, by the names of its first entries. */
export function refuseArchive(name: string, entries: readonly string[], mimetype: string): never {
  const has = (entry: string): boolean => entries.includes(entry)
  const sheet = `open it, and ${asTable}`
  if (has('xl/workbook.bin')) throw unsupported(name, 'a binary Excel workbook (.xlsb)', sheet)
  if (mimetype.includes('opendocument.spreadsheet'))
    throw unsupported(name, 'an OpenDocument spreadsheet (.ods)', sheet)
  if (entries.some((entry) => entry.endsWith('.iwa'))) throw unsupported(name, 'a Numbers spreadsheet', sheet)
  if (has('word/document.xml'))
    throw unsupported(name, 'a Word document', `copy its table into a spreadsheet, and ${asTable}`)
  const listed = entries.filter((entry) => !entry.endsWith('/')).slice(0, 5)
  const more = entries.length > listed.length ? ', …' : ''
  const holds = listed.length > 0 ? ` (it holds ${listed.join(', ')}${more})` : ''
  throw unsupported(name, `a ZIP archive${holds}`, unpack(`unzip -p FILE NAME | frontdesk … -`))
}
