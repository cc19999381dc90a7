import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('finds a customer by every form of reference', async () => {
    const {id} = await make('ref-all', '--customer-number', '4711')
    for (const ref of [
      id,
      `id=${id}`,
      'key=ref-all',
      'email=REF-ALL@example.com',
      'ref-all@example.com',
      'number=4711',
    ]) {
      const {code, json} = await desk.run(['customers', 'get', ref, '--json'])
      expect(code, ref).to.equal(0)
      expect(json, ref).to.have.property('id', id)
    }
  })

  it('reads several, from arguments or from stdin', async () => {
    const [one, two] = [await make('many-1'), await make('many-2')]
    const both = await desk.run(['customers', 'get', 'key=many-1', 'key=many-2', '-o', 'ids'])
    expect(both.stdout).to.equal(`${one.id}\n${two.id}\n`)
    const piped = await desk.run(['customers', 'get', '-', '-o', 'ids'], {stdin: `key=many-2\n${one.id}\n`})
    expect(piped.stdout).to.equal(`${two.id}\n${one.id}\n`)
  })

  it('takes a reference literally, whatever it looks like', async () => {
    await make('literal')
    for (const ref of [
      'email=x" or 1=1',
      'number=" or email is defined or email="',
      'email=literal@example.com" or "a"="a',
    ]) {
      expect((await desk.run(['customers', 'get', ref])).code, ref).to.equal(3)
    }
    expect((await desk.run(['customers', 'get', 'key=a b'])).code).to.equal(6)
    expect((await desk.run(['customers', 'get', ''])).code).to.equal(2)
  })

  it('tells whether somebody exists with codes 0 and 3', async () => {
    await make('exists')
    expect((await desk.run(['customers', 'exists', 'key=exists', '--json'])).json).to.deep.equal({exists: true})
    const absent = await desk.run(['customers', 'exists', 'key=absent', '--json'])
    expect({code: absent.code, json: absent.json}).to.deep.equal({code: 3, json: {exists: false}})
    const unused = await desk.run(['customers', 'exists', '-w', 'key = :kk', '--var', 'k=exists'])
    expect([unused.code, unused.stderr]).to.satisfy(
      () => unused.code === 2 && /--var k has no effect/.test(unused.stderr),
    )
    const where = ['customers', 'exists', '-w', 'key = :k', '--var', 'k=exists']
    expect((await desk.run(where)).code).to.equal(0)
  })

  it('says that a query shows a part, in every form that does not count', async () => {
    await make('part-1')
    await make('part-2')
    for (const form of ['table', 'ids', 'csv', 'jsonl']) {
      const {stderr} = await desk.run(['customers', 'query', '-n', '1', '-o', form])
      expect(stderr, form).to.match(/^1 of \d+ shown: --all shows the rest\.\n$/)
    }
    const uncounted = await desk.run(['customers', 'query', '-n', '1', '--no-with-total', '-o', 'ids'])
    expect(uncounted.stderr).to.include('1 shown, and there may be more')
    expect((await desk.run(['customers', 'query', '--all', '-o', 'ids'])).stderr).to.equal('')
  })

  it('refuses fields that no customer has, with the nearest', async () => {
    await make('fields')
    const wrong: [string, string][] = [
      ['nope', 'names'],
      ['firstNam', 'Did you mean firstName?'],
      ['email,addresses.city', 'Did you mean addresses.0.city?'],
      ['email.x', 'email.x'],
      ['createdBy.clientid', 'Did you mean createdBy.clientId?'],
    ]
    for (const [fields, said] of wrong) {
      for (const command of [['query'], ['query', '-w', 'key = "nobody"'], ['get', 'key=fields', '-o', 'csv']]) {
        const {code, stdout, stderr} = await desk.run(['customers', ...command, '--fields', fields])
        expect({code, stdout}, `${command.join(' ')} ${fields}`).to.deep.equal({code: 2, stdout: ''})
        expect(stderr).to.include(said)
      }
    }
  })

  it('shows fields that are absent, open or in lists', async () => {
    await make('absent')
    for (const path of [
      'externalId',
      'custom.fields.any',
      'customerGroup.obj.name',
      'addresses.0.city',
      'stores.0.key',
    ]) {
      const {code, stderr} = await desk.run(['customers', 'get', 'key=absent', '--fields', `email,${path}`, '--json'])
      expect(code, `${path}: ${stderr}`).to.equal(0)
    }
  })

  it('shows what a write did whatever the fields are', async () => {
    const update = ['customers', 'create', '--email', 'w@example.com', '--external-auth', '--fields', 'nope', '--json']
    expect((await desk.run(update)).code).to.equal(0)
  })

  it('writes a file in the form that its name promises', async () => {
    const {email} = await make('by-name').then(() => ({email: 'by-name@example.com'}))
    const written = async (name: string, ...flags: string[]) => {
      const path = join(desk.folder, name)
      const argv = ['customers', 'query', '-w', 'key = "by-name"', '--fields', 'email', '--out', path, ...flags]
      expect((await desk.run(argv)).code).to.equal(0)
      return readFileSync(path, 'utf8')
    }
    expect(await written('x.csv')).to.equal(`email\r\n${email}\r\n`)
    expect(JSON.parse(await written('x.json'))).to.have.property('count', 1)
    expect(await written('x.JSONL')).to.equal(`{"email":"${email}"}\n`)
    expect(await written('x.yaml')).to.include(`email: ${email}`)
    expect(await written('y.csv', '-o', 'ids'), 'a flag wins').to.not.include('email')
  })

  it('finds people by whatever is known of them', async () => {
    const {id} = await make('finder', '--first-name', 'Grace', '--last-name', 'Hopper')
    for (const text of ['finder', 'FINDER@example.com', 'hopper', 'grace hopper', id]) {
      expect((await desk.run(['customers', 'find', text, '-o', 'ids'])).stdout, text).to.equal(`${id}\n`)
    }
    const cut = await desk.run(['customers', 'find', 'hopper', '-o', 'ids'])
    expect(cut.stderr).not.to.include('shown')
    await make('finder-2', '--last-name', 'Hopper')
    for (const form of ['table', 'ids', 'jsonl', 'csv']) {
      const {stderr} = await desk.run(['customers', 'find', 'hopper', '-n', '1', '-o', form])
      expect(stderr, form).to.include('1 of 2 shown').and.include('--limit')
    }
    const {json, stderr} = await desk.run(['customers', 'find', 'hopper', '-n', '1', '--json'])
    expect(json).to.include({count: 1, total: 2, limit: 1})
    expect(stderr).to.equal('')
    expect((await desk.run(['customers', 'find', 'x" or email is defined or email="'])).code).to.equal(3)
  })
})
