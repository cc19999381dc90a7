import {closeSync, mkdtempSync, openSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {boundedText} from '../../src/files/bounded-text.js'

describe('files · bounded text', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-text-'))
  })
  after(() => rmSync(folder, {recursive: true, force: true}))

  const read = (path: string, mostBytes: number): string | undefined => {
    const file = openSync(path, 'r')
    try {
      return boundedText(file, mostBytes)
    } finally {
      closeSync(file)
    }
  }

  it('is whole up to its bound, with letters of several bytes', () => {
    const path = join(folder, 'text')
    const text = 'ä'.repeat(100_000)
    writeFileSync(path, text)
    expect(read(path, 200_000)).to.equal(text)
    expect(read(path, 199_999)).to.equal(undefined)
  })

  it('ends on a device that does not', function () {
    if (process.platform === 'win32') return this.skip()
    expect(read('/dev/zero', 1_000_000)).to.equal(undefined)
    expect(read('/dev/null', 0)).to.equal('')
  })
})
