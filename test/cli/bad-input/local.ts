import {spawn} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../../src/index.js'
import {closed} from '../../../src/store/lowdb/line/line.js'
import {documentFile} from '../../store/directory.js'
import {built, root} from '../run.js'
import type {Place, Rows} from './place.js'

const create = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--external-auth']
const row = (key: string, more = '') => `${key},${key}@example.com,ExternalAuth${more}\n`
const header = 'key,email,authenticationMode'

/** Imports a pipe of rows and interrupts it as soon as the server has seen a few of them. */
async function interruptedImport(place: Place, file: string): Promise<{code: number | null; stderr: string}> {
  const real = new URL(place.real.apiUrl)
  const argv = ['customers', 'import', file, '--concurrency', '1', '--rate', '20/s', '--verbose']
  const child = spawn(process.execPath, [built, ...argv], {
    env: {...process.env, ...place.desk.env, ...place.toReal, FRONTDESK_API_URL: real.origin},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  let isTold = false
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    const created = stderr.match(/^POST .*\/customers · 201/gm) ?? []
    if (isTold || created.length < 3) return
    isTold = true
    child.kill('SIGINT')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return {code, stderr}
}

/** Files, folders, ports and states of this machine. */
export const localRows: Rows = {
  16: [
    'a credential file that others can read',
    async (place) => {
      const path = place.file('secret', 'geheim', 0o644)
      const add = ['login', 'staging', '--no-check', '--project-key', 'shop', '--api-url', place.fakeUrl]
      await place.once(0, [...add, '--client-id', 'x', '--secret-from', `file:${path}`])
      expect(await place.ends(13, ['whoami', '-P', 'staging'])).to.include(`chmod 600 ${path}`)
      expect(place.asked).to.deep.equal([])
    },
  ],
  17: [
    'a credential command that fails',
    async (place) => {
      const add = ['login', 'staging', '--project-key', 'shop', '--api-url', place.fakeUrl, '--client-id', 'x']
      expect(await place.ends(4, [...add, '--secret-from', 'command:exit 7'])).to.include('it ended with code 7')
      expect(place.asked).to.deep.equal([])
    },
  ],
  31: [
    'an email of several customers',
    async (place) => {
      place.desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
      await place.once(0, ['server', 'seed', join(root, 'fixtures/demo')])
      expect(await place.ends(5, ['customers', 'get', 'mira.solheim@example.org'])).to.include('--store')
    },
  ],
  32: [
    'imports of files that hold no rows',
    async (place) => {
      const files = [
        '/nowhere/at/all.csv',
        place.desk.folder,
        place.file('empty.csv', ''),
        place.file('mark.csv', '\uFEFF'),
        place.file('binary.csv', Buffer.from([0, 1, 2, 255, 254, 0, 10])),
      ]
      for (const path of files) expect(await place.ends(2, ['customers', 'import', path])).to.include(path)
    },
  ],
  33: [
    'imports of rows that are wrong',
    async (place) => {
      const rows = [row('good'), row('wide', ',one,two'), 'bad, no-email,ExternalAuth\n', row('good')]
      const path = place.file('rows.csv', `${header}\n${rows.join('')}`)
      const shown = await place.ends(2, ['customers', 'import', path])
      for (const line of [3, 4, 5]) expect(shown).to.match(new RegExp(`\\b${line}\\b`))
      await place.absent('key=good')
      const {stdout} = await place.once(10, ['customers', 'import', path, '--skip-invalid', '--json'])
      expect(JSON.parse(stdout)).to.include({read: 4, failed: 3, created: 1})
    },
  ],
  34: [
    'imports with a column that is none',
    async (place) => {
      const proto = place.file('proto.csv', `${header},__proto__\n${row('one', ',x')}`)
      expect(await place.ends(2, ['customers', 'import', proto])).to.include('__proto__')
      const unknown = place.file('unknown.csv', `${header},Shoe size\n${row('one', ',44')}`)
      expect((await place.once(0, ['customers', 'import', unknown])).stderr).to.include('Shoe size')
    },
  ],
  35: [
    'cells that a spreadsheet would run',
    async (place) => {
      const path = place.file('formula.csv', `${header},firstName\n${row('one', ',=cmd()')}`)
      await place.once(0, ['customers', 'import', path])
      const {stdout} = await place.once(0, ['customers', 'get', 'key=one', '--json'])
      expect(JSON.parse(stdout)).to.have.property('firstName', '=cmd()')
      const exported = ['customers', 'export', '--format', 'csv']
      expect((await place.once(0, [...exported, '--excel-safe'])).stdout).to.match(/,'=cmd\(\)/)
      expect((await place.once(0, exported)).stdout).to.match(/,=cmd\(\)/)
    },
  ],
  36: [
    'an import that is interrupted',
    async (place) => {
      const keys = Array.from({length: 200}, (_, at) => `row-${at}`)
      const path = place.file('many.csv', `${header}\n${keys.map((key) => row(key)).join('')}`)
      const {code, stderr} = await interruptedImport(place, path)
      expect(code, stderr).to.equal(130)
      expect(stderr).to.include('--resume')
      const env = place.toReal
      const {stdout} = await place.once(0, ['customers', 'import', path, '--resume', '--json'], {env})
      expect(JSON.parse(stdout)).to.include({read: 200, failed: 0, created: 200})
      await place.once(0, ['customers', 'query', '--expect-count', '200', '-n', '0'], {env})
    },
  ],
  37: [
    'exports to a file that exists, a link, or a full disk',
    async (place) => {
      await place.once(0, create)
      const taken = place.file('taken.csv', 'mine')
      const link = join(place.desk.folder, 'link.csv')
      symlinkSync(join(place.desk.folder, 'elsewhere.csv'), link)
      for (const out of [taken, link, '/dev/full', '/nowhere/at/all.csv']) {
        await place.ends(2, ['customers', 'export', '--format', 'csv', '--out', out])
      }
      expect(readFileSync(taken, 'utf8')).to.equal('mine')
      expect(existsSync(join(place.desk.folder, 'elsewhere.csv'))).to.equal(false)
      expect(readdirSync(place.desk.folder).filter((name) => name.includes('.part'))).to.deep.equal([])
    },
  ],
  38: [
    'ports that are taken or none',
    async ({ends}) => {
      const taken = createServer()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      const {port} = taken.address() as AddressInfo
      expect(await ends(13, ['server', 'start', '--port', String(port)])).to.include(String(port))
      taken.close()
      for (const wrong of ['70000', 'abc', '-1', '']) await ends(2, ['server', 'start', `--port=${wrong}`])
      const mayListen = process.getuid?.() === 0
      if (!mayListen) expect(await ends(2, ['server', 'start', '--port', '1'])).to.include('EACCES')
    },
  ],
  39: [
    'a server that others could reach',
    async ({ends}) => {
      for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
        expect(await ends(2, ['server', 'start', '--host', host])).to.match(/--insecure-http/)
      }
    },
  ],
  40: [
    'a state that is taken, damaged, or of a newer release',
    async (place) => {
      const data = place.desk.env['FRONTDESK_DATA_DIR'] ?? ''
      const held = join(place.desk.folder, 'held')
      const other = await startServer({dataDir: held, projectKey: 'shop'})
      expect(await place.ends(13, ['server', 'start', '--data', held])).to.include(held)
      await other.stop()
      await place.once(0, create)
      const path = documentFile(data, 'local')
      const whole = readFileSync(path, 'utf8')
      writeFileSync(path, '{"no')
      expect(await place.ends(13, ['customers', 'query'])).to.include(path)
      writeFileSync(path, closed(Buffer.from('{"format":99,"follows":[]}\n'), 0).bytes)
      expect(await place.ends(13, ['customers', 'query'])).to.include(path)
      writeFileSync(path, whole)
      await place.once(0, ['customers', 'get', 'key=ada'])
    },
  ],
}
