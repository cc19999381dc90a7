import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from './run.js'

describe('cli · deprecations check of nothing', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const check = (argv: readonly string[], stdin?: string) =>
    desk.run(['deprecations', 'check', ...argv], stdin === undefined ? {} : {stdin})

  it('ends with 2 where nothing was read, whatever --fail-on says', async () => {
    const folder = join(desk.folder, 'nothing')
    mkdirSync(folder)
    const none = await check([folder, '--fail-on', 'none'])
    expect([none.code, none.stdout]).to.deep.equal([2, ''])
    writeFileSync(join(folder, 'app.ts'), "const action = 'setSKU'")
    writeFileSync(join(folder, 'empty.har'), '{"log": {"entries": []}}')
    expect((await check([folder])).stderr).to.include('Nothing was read.')
    writeFileSync(join(folder, 'bad.json'), '{')
    expect((await check([folder])).stderr).to.include('not JSON')
    for (const [flag, text] of [
      ['--scopes', 'none'],
      ['-', '[]'],
    ] as const) {
      const given = flag === '-' ? await check(['-'], text) : await check([flag, text])
      expect(given.code, flag).to.equal(2)
    }
    const script = await check([join(folder, 'app.ts')])
    expect([script.code, script.stderr])
      .to.deep.include(2)
      .and.to.match(/JavaScript and TypeScript are not read/)
    writeFileSync(join(folder, 'good.json'), '{}')
    expect((await check([folder])).stdout).to.match(/\n1 file read, 0 findings\n$/)
  })
})
