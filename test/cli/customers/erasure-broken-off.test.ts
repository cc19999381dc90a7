import {cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {createServer, request} from 'node:http'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {addressOf} from '../../client/foreign-server.js'
import {Desk} from '../run.js'

const people = 4
const person = (at: number, turn: string) => ({
  ...{key: `gone-${at}`, email: `mail${turn}${at}@gone.example`, authenticationMode: 'ExternalAuth'},
  ...{firstName: `Quill${turn}${at}x`, lastName: `Feather${at}x`},
})
const valuesOf = (at: number) => [
  ...['Old', 'New', 'Hand'].flatMap((turn) => [`mail${turn}${at}@gone`, `Quill${turn}${at}x`]),
  `Feather${at}x`,
]

/** Which of the values are in the files of a folder, apart from those that its user wrote. */
function found(folder: string, values: readonly string[]): readonly string[] {
  const texts = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
  return values.filter((value) => texts.some((text) => text.includes(value)))
}

describe('cli · an erasure that is broken off', () => {
  let server: RunningServer
  /** Called around each request that deletes: what a kill there would leave. */
  let refuses = false
  let atDeletion: (when: 'before' | 'after') => void = () => undefined
  const front = createServer((incoming, outgoing) => {
    const {method = '', url = '', headers} = incoming
    if (method === 'DELETE') {
      if (refuses) {
        outgoing.writeHead(409, {'content-type': 'application/json'})
        const message = 'Object is in use.'
        outgoing.end(JSON.stringify({statusCode: 409, message, errors: [{code: 'ReferenceExists', message}]}))
        return
      }
      atDeletion('before')
    }
    const {apiUrl} = server
    const passed = request(`${apiUrl}${url}`, {method, headers: {...headers, host: new URL(apiUrl).host}}, (told) => {
      if (method === 'DELETE') atDeletion('after')
      outgoing.writeHead(told.statusCode ?? 500, told.headers)
      told.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  const desk = new Desk()
  let env: Record<string, string>
  const run = async (...argv: readonly string[]) => desk.run(argv, {env})
  const copy = `${desk.folder}-killed`

  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    env = {
      FRONTDESK_API_URL: `http://127.0.0.1:${addressOf(front)}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: server.client.clientId,
      FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
    }
  })
  after(async () => {
    front.closeAllConnections()
    front.close()
    desk.remove()
    for (const when of ['before', 'after']) rmSync(`${copy}-${when}`, {recursive: true, force: true})
    await server.stop()
  })

  const notes = (folder: string) =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .filter((name) => name.includes('erasing-'))
      .map((name) => join(folder, name))

  it('keeps all where the target refuses, and a repeat ends what was broken off', async () => {
    const all = Array.from({length: people}, (_, at) => at)
    const load = async (rows: readonly object[], code: number) => {
      const path = join(desk.folder, 'rows.jsonl')
      writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
      const imported = await run('customers', 'import', path, '--max-failures', '100%')
      expect(imported.code, imported.stderr).to.equal(code)
      rmSync(path)
    }
    await load(
      all.map((at) => person(at, 'Old')),
      0,
    )
    await load(
      all.map((at) => person(at, 'New')),
      0,
    )
    // Rows that fail, and that name persons in a table: their emails are taken.
    await load(
      all.map((at) => ({...person(at, 'New'), key: `other-${at}`})),
      10,
    )
    for (const at of all) {
      const hand = ['--set', `firstName=QuillHand${at}x`, '--set', `email=mailHand${at}@gone.example`]
      expect((await run('customers', 'update', `key=gone-${at}`, ...hand)).code).to.equal(0)
    }
    const kept = all.map((at) => found(join(desk.folder, 'data'), valuesOf(at)).length)
    expect(Math.min(...kept), 'there is something to erase').to.be.greaterThan(3)

    const data = join(desk.folder, 'data')
    const erase = ['customers', 'delete', '-w', 'key is defined', '--max', '10', '--erase-personal-data', '--yes']
    // A target that refuses: nothing is lost, and nothing is left over.
    refuses = true
    expect((await run(...erase)).code).to.not.equal(0)
    refuses = false
    for (const at of all) expect(found(data, valuesOf(at)).length, 'what undo needs stays').to.equal(kept[at])
    expect(notes(data)).to.deep.equal([])
    expect((await run('undo', 'key=gone-0', '--dry-run')).code).to.equal(0)

    const ids = new Map<number, string>()
    for (const at of all) {
      const {json} = await run('customers', 'get', `key=gone-${at}`, '--json')
      ids.set(at, (json as {id: string}).id)
    }
    let sent = 0
    atDeletion = (when) => {
      if (when === 'before') sent += 1
      const gone = all.filter((at) => found(data, valuesOf(at)).length === 0)
      expect(gone.length, `${when} ${sent}`).to.equal(sent - 1)
      // What a kill would leave here.
      if (sent === 2) cpSync(data, `${copy}-${when}`, {recursive: true})
    }
    const erased = await run(...erase)
    expect(erased.code, erased.stderr).to.equal(0)
    expect(sent).to.equal(people)
    for (const at of all) expect(found(data, valuesOf(at))).to.deep.equal([])
    expect(notes(data)).to.deep.equal([])

    // The target has erased all of them; of the second this machine was killed before it forgot.
    atDeletion = () => undefined
    for (const when of ['before', 'after']) {
      rmSync(data, {recursive: true, force: true})
      cpSync(`${copy}-${when}`, data, {recursive: true})
      for (const path of notes(data))
        writeFileSync(path, readFileSync(path, 'utf8').replace(/"pid":\d+/, '"pid":4194305'))
      const [second] = all.filter((at) =>
        notes(data).some((path) => readFileSync(path, 'utf8').includes(ids.get(at) ?? '')),
      )
      expect(second).to.be.a('number')
      const repeated = await (when === 'before'
        ? run(...erase)
        : run('customers', 'erased', ids.get(second ?? 0) ?? ''))
      expect(repeated.code, repeated.stderr).to.equal(0)
      expect(repeated.stderr).to.include('was broken off')
      expect(found(data, valuesOf(second ?? 0))).to.deep.equal([])
      expect(notes(data)).to.deep.equal([])
    }
  })
})
