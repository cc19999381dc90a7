import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {promisify} from 'node:util'
import {expect} from 'chai'
import {transform} from 'esbuild'
import {scratch} from '../transfer/scratch.js'

const files = scratch()
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** What the first TypeScript example of a page prints, run with the built library. */
async function printed(page: string): Promise<string> {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}/${page}`, 'utf8')) ?? []
  const library = pathToFileURL(`${root}/dist/lib/index.mjs`).href
  const {code} = await transform(example, {loader: 'ts', target: 'es2022'})
  const file = files.write('example.mjs', code.replace(/(['"])frontdesk\1/, `'${library}'`))
  const {stdout, stderr} = await run(process.execPath, [file], {cwd: root})
  return stderr + stdout
}

describe('docs · as a library', () => {
  it('does in a program what docs/library.md says', async () => {
    expect(await printed('docs/library.md')).to.equal('2 to create, 0 to update\n2 created, 0 failed\n2 exported\n')
  })

  it('runs the example of the README, which ends by itself', async () => {
    expect(await printed('README.md')).to.equal('')
  })
})
