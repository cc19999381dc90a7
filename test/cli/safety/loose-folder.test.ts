import {chmodSync, mkdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · a folder of the state that mkdir made', () => {
  for (const first of [
    ['server', 'seed', 'demo'],
    ['customers', 'query'],
  ]) {
    it(`is made private by ${first.join(' ')}, if nothing is in it`, async () => {
      const desk = new Desk()
      try {
        const state = join(desk.folder, 'state')
        mkdirSync(state)
        chmodSync(state, 0o755)
        const env = {FRONTDESK_DATA_DIR: state}
        const {code, stderr} = await desk.run(first, {env})
        expect(code, stderr).to.equal(0)
        expect(statSync(state).mode & 0o777).to.equal(0o700)
        const full = join(desk.folder, 'full')
        mkdirSync(full)
        writeFileSync(join(full, 'note'), '')
        chmodSync(full, 0o755)
        expect((await desk.run(first, {env: {FRONTDESK_DATA_DIR: full}})).code).to.equal(13)
        expect(statSync(full).mode & 0o777).to.equal(0o755)
      } finally {
        desk.remove()
      }
    })
  }
})
