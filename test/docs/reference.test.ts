import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect} from 'chai'
import {exitCodes} from '../../src/cli/process/exit-codes.js'
import {root} from '../cli/run.js'

describe('docs · reference', () => {
  it('is what oclif makes of the manifest', async () => {
    await promisify(execFile)(process.execPath, [join(root, 'test/docs/reference.mjs'), '--check'], {cwd: root})
  })

  it('says of every exit code what to do', () => {
    const text = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
    const headings = [...text.matchAll(/^## ([\d, ]+):/gm)].flatMap(([, codes = '']) => codes.split(', ').map(Number))
    const expected = Object.values(exitCodes).map(({code}) => code)
    expect(headings).to.have.members(expected.filter((code) => code !== 0))
  })
})
