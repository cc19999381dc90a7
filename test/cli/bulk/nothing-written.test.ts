import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · runs that wrote nothing', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const mode = ['--password-mode', 'external-auth']

  it('are passed over by undo, which takes the last one back that wrote', async () => {
    const file = join(desk.folder, 'people.csv')
    writeFileSync(file, 'key,email\nuu-1,uu1@example.com\n')
    for (const words of ['1 created', '1 unchanged'])
      expect((await desk.run(['customers', 'import', file, ...mode])).stdout).to.include(words)
    expect((await desk.run(['undo', '--yes'])).stdout).to.include('1 deleted')
    expect((await desk.run(['undo', '--yes'])).stderr).to.include('no run at this target')
  })

  it('may choose among rows about one customer in a comparison, too', async () => {
    const file = join(desk.folder, 'twice.csv')
    writeFileSync(file, 'key,email\ndd-1,d1@example.com\ndd-1,d2@example.com\n')
    const {stdout} = await desk.run(['customers', 'diff', file, '--on-duplicate', 'last', ...mode])
    expect(stdout).to.include('+ key=dd-1 (line 3)')
    expect(stdout).to.include('1 skipped')
  })

  it('write to the standard output where --out names it', async () => {
    await desk.run(['customers', 'import', join(desk.folder, 'people.csv'), ...mode])
    const {stdout, code} = await desk.run(['customers', 'export', '--format', 'jsonl', '--out', '-'])
    expect(code).to.equal(0)
    expect(stdout).to.match(/^\{"/)
    expect(existsSync('-')).to.equal(false)
  })
})
