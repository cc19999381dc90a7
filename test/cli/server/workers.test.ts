import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · server start --workers', () => {
  const desk = new Desk()
  after(() => desk.remove())

  it('needs a database for several, and starts nothing without', async () => {
    for (const more of [[], ['--detach']]) {
      const {code, stderr} = await desk.run(['server', 'start', '--workers', '2', ...more])
      expect(code).to.equal(2)
      expect(stderr).to.include('2 workers need a database: one process hosts a folder.')
      expect(stderr).to.include('FRONTDESK_STORE_URL')
    }
    expect(existsSync(join(desk.folder, 'data'))).to.equal(false)
  })

  it('is a number from 1 to 64', async () => {
    const env = {FRONTDESK_STORE_URL: 'postgres://127.0.0.1:1/none'}
    for (const workers of ['0', '65', '-1', '1.5', 'two', '']) {
      const {code, stderr} = await desk.run(['server', 'start', '--workers', workers], {env})
      expect(code, `${workers}: ${stderr}`).to.equal(2)
      expect(stderr).to.include('--workers')
    }
  })
})
