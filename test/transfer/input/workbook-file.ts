import {crc32, deflateRawSync} from 'node:zlib'

/** A ZIP archive of these parts; a part may lie about its size. */
export function archiveOf(parts: Readonly<Record<string, string | Uint8Array>>, claimed?: number): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(claimed ?? bytes.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    local.push(Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), header, tail, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(18)
  const count = Object.keys(parts).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, list, Buffer.from('PK\x05\x06'), end])
}

export interface SheetXml {
  readonly name: string
  readonly rows: string
  readonly state?: string
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (list: string): string =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`

export interface WorkbookXml {
  readonly sheets: readonly SheetXml[]
  readonly strings?: readonly string[]
  /** Patterns of cell styles, from 1; numbers are built in. */
  readonly formats?: readonly (string | number)[]
  readonly properties?: string
  /** Parts that replace or join these. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
}

/** The parts of a workbook as Excel writes them. */
export function workbookParts({sheets, strings = [], formats = [], properties = '', parts}: WorkbookXml) {
  const names = sheets.map(
    ({name, state}, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${state ? `state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  const own = formats.flatMap((code, at) =>
    typeof code === 'string' ? [`<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`] : [],
  )
  const cells = [0, ...formats].map(
    (code, at) => `<xf numFmtId="${typeof code === 'string' ? 199 + at : code}" xfId="0"/>`,
  )
  return {
    '[Content_Types].xml': `${xml}<Types/>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${xml}<workbook ${namespaces}><workbookPr ${properties}/><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      [
        ...sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
        relation('s1', 'styles', '/xl/styles.xml'),
        relation('s2', 'sharedStrings', 'sharedStrings.xml'),
      ].join(''),
    ),
    'xl/styles.xml': `${xml}<styleSheet ${namespaces}><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${cells.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${xml}<sst ${namespaces}>${strings.map((text) => (text.startsWith('<') ? `<si>${text}</si>` : `<si><t xml:space="preserve">${text}</t></si>`)).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map(({rows}, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${xml}<worksheet ${namespaces}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  }
}

export const workbookOf = (workbook: WorkbookXml): Buffer => archiveOf(workbookParts(workbook))

/** A row of texts that stand in the cells themselves. */
export const textRow = (row: number, ...texts: readonly string[]): string =>
  `<row r="${row}">${texts.map((text, at) => (text === '' ? '' : `<c r="${String.fromCharCode(65 + at)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`)).join('')}</row>`
