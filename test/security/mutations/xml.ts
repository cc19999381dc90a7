import {type MutationGroup, of} from './mutation.js'

/** What an XML file that somebody made for it could do to an import, and a text to a pattern. */

const rows = of('src/transfer/input/xml-rows.ts')
const xml = of('src/transfer/input/xml.ts')
const formats = of('src/transfer/input/workbook/cell-formats.ts')
const transforms = of('src/transfer/mapping/transforms.ts')

export const foreignFiles: MutationGroup = {
  folders: ['test/transfer'],
  tests: ['transfer/mapping/xml-rows', 'transfer/mapping/map-features', 'transfer/input/foreign-workbooks'],
  mutations: [
    xml(
      'an XML file declares entities',
      "parser.ondoctype = () => fail('has a document type, which is not read', parser)",
    ),
    xml('XML is nested without a bound', 'if (depth > limits.jsonDepth)', 'if (depth < 0)'),
    rows('a row of XML fills the memory', '- rowStart > maxRowBytes', '- rowStart < 0'),
    rows(
      'an element of XML has attributes without a bound',
      'if (given.length > maxAttributes)',
      'if (given.length < 0)',
    ),
    rows('an element of XML replaces a prototype', "if (name === '__proto__')", "if (name === '')"),
    formats('a number format has any length', 'formatCode.length <= maxFormatCharacters', 'formatCode !== "x"'),
    formats('an invalid format is read for each cell', 'hasTime && isValid(pattern)', 'hasTime'),
    transforms('a pattern works on texts of any length', 'text.length > maxReplacedLength', 'text.length < 0'),
  ],
}
