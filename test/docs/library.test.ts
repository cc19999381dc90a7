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

describe('docs/migration.md · as a library', () => {
  it('does in a program what the documented example says', async () => {
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}/docs/migration.md`, 'utf8')) ?? []
    const library = pathToFileURL(`${root}/dist/lib/index.mjs`).href
    const {code} = await transform(example, {loader: 'ts'})
    const file = files.write('migrate.mjs', code.replace(/(['"])frontdesk\1/, `'${library}'`))
    const {stdout} = await run(process.execPath, [file], {cwd: root})
    expect(stdout).to.equal('2 to create, 0 to update\n2 created, 0 failed\n2 exported\n')
  })
})
