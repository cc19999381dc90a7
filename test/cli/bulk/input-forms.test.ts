import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect} from 'chai'
import {textRow, workbookOf} from '../../transfer/input/workbook-file.js'
import {Desk} from '../run.js'

describe('cli · inputs as they come', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(desk.folder, name)
    writeFileSync(path, content)
    return path
  }
  const mode = ['--password-mode', 'external-auth']
  const table = (text: string): Buffer => Buffer.from(text, 'latin1')

  it('says on stderr and in --json how a file was read and why', async () => {
    const file = write(
      'win.csv.gz',
      gzipSync(table('key,email,firstName,customerGroup.key\nin-1,i1@x.de,J\xfcrgen,nobody\n')),
    )
    const said = await desk.run(['customers', 'diff', file])
    expect(said.stderr).to.include(`${file} is not UTF-8: see line 2.`)
    const {json} = await desk.run(['customers', 'import', file, ...mode, '--encoding', 'cp1252', '--json'])
    const {job, inputs, report} = json as {job: string; inputs: unknown; report: string}
    expect(inputs).to.deep.equal([{file, encoding: 'windows-1252', compression: 'gzip'}])
    const shown = (await desk.run(['jobs', 'show', job, '--json'])).json as {options: object}
    expect(shown.options).to.include({encoding: 'cp1252'})
    const retried = await desk.run(['customers', 'import', '--retry-failed', report, ...mode, '--json'])
    expect(retried.json, retried.stderr).to.include({read: 1, failed: 1})
  })

  it('reads the standard input in any encoding, and templates too', async () => {
    const utf16 = Buffer.from('\uFEFFkey\tE-Mail\tFirst name\nin-2\ti2@x.de\tŁukasz\n', 'utf16le')
    const template = await desk.run(['customers', 'template', '-'], {stdin: utf16})
    expect(template.stderr).to.include('standard input: read as utf-16le, since its byte order mark says so')
    expect((JSON.parse(template.stdout) as {columns: object}).columns).to.include({'First name': 'firstName'})
    const map = ['--map', 'E-Mail=email', '--map', 'First name=firstName']
    const done = await desk.run(['customers', 'import', '-', ...map, ...mode, '--json'], {stdin: utf16})
    expect(done.json, done.stderr).to.include({created: 1})
    expect((await desk.run(['customers', 'get', 'key=in-2', '--json'])).json).to.include({firstName: 'Łukasz'})
  })

  it('imports a sheet of a workbook, and fails rows by the numbers of the sheet', async () => {
    const rows = [textRow(1, 'key', 'email'), textRow(3, 'x-1', 'x1@x.de'), textRow(5, 'x-2', '')].join('')
    const sheets = [
      {name: 'Notes', rows: textRow(1, 'a')},
      {name: 'Kunden', rows},
    ]
    const file = write('book.xlsx', workbookOf({sheets}))
    const planned = await desk.run(['customers', 'import', file, ...mode, '--sheet', 'Kunden'])
    expect(planned.code).to.equal(2)
    expect(planned.stderr).to.include('line 5, email').and.include(`${file}: sheet 'Kunden'`)
    const argv = ['customers', 'import', file, ...mode, '--sheet', '2', '--skip-invalid', '--json']
    const done = await desk.run(argv)
    expect(done.json, done.stderr).to.deep.include({created: 1, failed: 1, inputs: [{file, sheet: 'Kunden'}]})
    const other = await desk.run(['customers', 'diff', file])
    expect(other.stderr).to.include("sheet 'Notes', since it is the first of 2; --sheet names another")
  })

  it('imports what a query printed', async () => {
    const {stdout} = await desk.run(['customers', 'query', '--json'])
    const {json, stderr} = await desk.run(['customers', 'import', '-', ...mode, '--json'], {stdin: stdout})
    expect(json, stderr).to.include({created: 0, unchanged: 2, failed: 0})
  })

  it('refuses what holds no rows with a name and a way out', async () => {
    for (const [file, words, wayOut] of [
      [write('a.pdf', '%PDF-1.4'), 'is a PDF document.', 'CSV'],
      [write('odd.csv', table('key\n\xc8\xe2\xe0\xed\xee\xe2\n')), 'see line 2', '--encoding'],
      [write('cut.csv.gz', gzipSync('key\nab\n').subarray(0, -9)), 'in the middle of its gzip data', 'gzip -t'],
    ] as const) {
      const {code, stderr} = await desk.run(['customers', 'import', file, ...mode])
      expect(code).to.equal(2)
      expect(stderr).to.include(words).and.include(wayOut)
    }
    const unknown = await desk.run(['customers', 'diff', '-', '--encoding', 'klingon'], {stdin: 'key\n'})
    expect(unknown).to.include({code: 2})
    expect(unknown.stderr).to.include('windows-1252')
  })
})
