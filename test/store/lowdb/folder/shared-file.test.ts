import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {share} from '../../../../src/store/lowdb/care/tree.js'
import {blockingFiles, type Files} from '../../../../src/store/lowdb/file/files.js'

describe('store · files that a copy shares', () => {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-share-'))
  after(() => rmSync(dir, {recursive: true, force: true}))
  const from = join(dir, 'from')
  const failing = (code: string): Files => ({
    ...blockingFiles,
    link: () => {
      throw Object.assign(new Error(code), {code})
    },
  })

  it('are linked, or copied byte by byte where the file system links nothing', async () => {
    const bytes = Buffer.from(Array.from({length: 2_500_000}, (_, at) => at % 251))
    writeFileSync(from, bytes, {mode: 0o600})
    await share(blockingFiles, from, join(dir, 'linked'))
    expect(statSync(join(dir, 'linked')).ino).to.equal(statSync(from).ino)
    for (const code of ['EPERM', 'EXDEV', 'ENOTSUP']) {
      const to = join(dir, code)
      await share(failing(code), from, to)
      expect(readFileSync(to).equals(bytes), code).to.equal(true)
      expect(statSync(to).mode & 0o777, code).to.equal(0o600)
    }
  })

  it('are not copied over a failure of another kind', async () => {
    const error = await share(failing('ENOSPC'), from, join(dir, 'none')).then(
      () => undefined,
      (failure: unknown) => failure,
    )
    expect(error).to.have.property('code', 'ENOSPC')
  })
})
