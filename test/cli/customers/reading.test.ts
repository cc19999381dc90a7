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
    const where = ['customers', 'exists', '-w', 'key = :k', '--var', 'k=exists']
    expect((await desk.run(where)).code).to.equal(0)
  })

  it('finds people by whatever is known of them', async () => {
    const {id} = await make('finder', '--first-name', 'Grace', '--last-name', 'Hopper')
    for (const text of ['finder', 'FINDER@example.com', 'hopper', 'grace hopper', id]) {
      expect((await desk.run(['customers', 'find', text, '-o', 'ids'])).stdout, text).to.equal(`${id}\n`)
    }
    expect((await desk.run(['customers', 'find', 'x" or email is defined or email="'])).code).to.equal(3)
  })
})
