import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {forms, formTraits} from '../../../src/cli/output/view.js'
import {exportFormats} from '../../../src/transfer/output/export-format.js'
import {Desk, type Ended} from '../run.js'

describe('cli · every form of output', () => {
  const desk = new Desk()
  before(async () => {
    const {code, stderr} = await desk.run(['customers', 'create', '--email', 'ada@example.com', '--external-auth'])
    expect(code, stderr).to.equal(0)
  })
  after(() => desk.remove())
  const said = ({stdout, stderr}: Ended): string => stdout + stderr
  const query = (...words: string[]) => desk.run(['customers', 'query', '--fields', 'email', ...words])

  for (const form of forms) {
    const {hasHeader = false, hasCells = false, extensions = []} = formTraits[form]

    it(`${form} takes --no-header and --excel-safe where they have an effect`, async () => {
      const [bare, safe] = [await query('--output', form, '--no-header'), await query('--output', form, '--excel-safe')]
      expect([bare.code, safe.code]).to.deep.equal([hasHeader ? 0 : 2, hasCells ? 0 : 2])
      for (const one of forms) {
        expect(said(bare).includes(`-o ${one}`), one).to.equal(!hasHeader && formTraits[one].hasHeader === true)
        expect(said(safe).includes(`-o ${one}`), one).to.equal(!hasCells && formTraits[one].hasCells === true)
      }
    })

    it(`${form} is in the help, and chosen by the names of its files`, async () => {
      expect((await desk.run(['help', 'output'])).stdout).to.match(new RegExp(`^ +-o ${form} +\\S`, 'm'))
      const {stdout} = await query('--output', form)
      for (const extension of extensions) {
        const out = join(desk.folder, `customers${extension}`)
        expect((await query('--out', out)).code).to.equal(0)
        expect(readFileSync(out, 'utf8'), extension).to.equal(stdout)
      }
    })

    it(`${form} is a format of exports, or refused by them with those that are`, async () => {
      const out = join(desk.folder, `export-${form}`)
      const {code, stderr} = await desk.run(['customers', 'export', '--output', form, '--out', out])
      const isFormat = (exportFormats as readonly string[]).includes(form)
      expect([code, existsSync(out)]).to.deep.equal(isFormat ? [0, true] : [2, false])
      if (!isFormat) expect(stderr).to.include(`--format ${exportFormats.join('|')}`)
    })
  }

  for (const format of exportFormats) {
    it(`${format} is the same export by --format`, async () => {
      const {code, stdout} = await desk.run(['customers', 'export', '--format', format])
      expect(code).to.equal(0)
      expect((await desk.run(['customers', 'export', '--output', format])).stdout).to.equal(stdout)
      expect(stdout).to.include('ada@example.com')
    })
  }
})
