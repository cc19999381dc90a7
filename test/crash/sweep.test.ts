import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {openRuntime} from '../../src/server/local/runtime.js'
import {bundledScript} from './bundled-script.js'

const sweeping = bundledScript(fileURLToPath(new URL('./sweeping.ts', import.meta.url)))
const messages = 3_000
const now = Date.parse('2026-11-20T10:00:00.000Z')

describe('store · kill -9 inside a sweep', () => {
  it('S-309 leaves whole messages, and the next sweep removes the rest', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'frontdesk-sweep-'))
    try {
      const child = spawn(process.execPath, [sweeping, dir, String(messages), String(now)])
      const ended = once(child, 'close')
      let complaints = ''
      child.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)))
      child.stdout.once('data', () => child.kill('SIGKILL'))
      const [code, signal] = await ended
      expect({code, signal, complaints}).to.deep.equal({code: null, signal: 'SIGKILL', complaints: ''})

      const {state, sweeper} = await openRuntime({dataDir: dir, writer: 'server'})
      const left = await state.query('shop', 'message', {limit: messages, offset: 0, count: {cap: messages}})
      expect(left.total).to.equal(left.results.length)
      expect(left.results.length).to.be.within(1, messages - 1)
      await sweeper.sweep(now + 365 * 86_400_000)
      await state.compact()
      const files = readdirSync(dir, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
      const bytes = files.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'latin1')).join('')
      expect(bytes).to.include('"shop"').and.not.include('person-')
      await state.close()
    } finally {
      rmSync(dir, {recursive: true})
    }
  })
})
