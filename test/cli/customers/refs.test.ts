import {expect} from 'chai'
import {parseRef} from '../../../src/cli/input/refs.js'
import {demoDesk} from '../quotes/harness.js'
import type {Desk} from '../run.js'

describe('cli · references', () => {
  let desk: Desk
  let hazel: {readonly id: string; readonly customerNumber: string; readonly externalId: string}
  before(async () => {
    desk = await demoDesk()
    hazel = (await desk.run(['customers', 'get', 'key=hazel-brandvold', '--json'])).json as typeof hazel
  })
  after(() => desk.remove())

  const get = (...words: string[]) => desk.run(['customers', 'get', ...words])

  it('are read by their form', () => {
    expect(parseRef('externalId=crm=7')).to.deep.equal({by: 'externalId', value: 'crm=7'})
    expect(parseRef('a=b@example.com')).to.deep.equal({by: 'email', value: 'a=b@example.com'})
    expect(parseRef('1a6d66fe-2b0c-4f5a-9c3d-000000000001')).to.include({by: 'id'})
    expect(parseRef('hazel-brandvold')).to.deep.equal({by: 'word', value: 'hazel-brandvold'})
    expect(() => parseRef('externalid=7')).to.throw(/Customers cannot be found by 'externalid'/)
    expect(() => parseRef('word=7')).to.throw(/Customers cannot be found by 'word'/)
    expect(() => parseRef('-')).to.throw(/take several/)
  })

  it('may be a bare id, key or number, or an id elsewhere', async () => {
    for (const ref of [
      hazel.id,
      'hazel-brandvold',
      hazel.customerNumber,
      `externalId=${hazel.externalId}`,
      'hazel.brandvold@example.com',
    ]) {
      const {code, json, stderr} = await get(ref, '--json')
      expect(code, `${ref}: ${stderr}`).to.equal(0)
      expect(json, ref).to.have.property('id', hazel.id)
      expect((await desk.run(['customers', 'exists', ref])).code, ref).to.equal(0)
      expect((await desk.run(['messages', 'list', '--resource', ref])).code, ref).to.equal(0)
    }
    expect((await desk.run(['customers', 'exists', 'hazel-brandvol'])).code).to.equal(3)
    expect((await desk.run(['quotes', 'query', '--as', 'hazel-brandvold'])).code).to.equal(0)
    expect((await desk.run(['quotes', 'query', '--as', `externalId=${hazel.externalId}`])).code).to.equal(0)
    expect((await desk.run(['quotes', 'query', '--as', 'nobody-at-all'])).code).to.equal(3)
  })

  it('list those who are known by something like it, with code 3, and take none of them', async () => {
    const {code, stdout, stderr} = await get('brandv')
    expect({code, stdout}).to.deep.equal({code: 3, stdout: ''})
    expect(stderr)
      .to.include("There is no customer with the id, key or number 'brandv'.")
      .and.match(new RegExp(`^  ${hazel.id}  key=hazel-brandvold  .*Hazel`, 'm'))
    const {json} = await desk.run(['customers', 'delete', 'brandv', '--yes', '--json'])
    expect(json).to.have.nested.property('error.code', 'ResourceNotFound')
    expect(json).to.have.nested.property('error.details[0].key', 'hazel-brandvold')
    expect((await get('hazel-brandvold')).code).to.equal(0)
    expect((await get('nothing-like-anybody')).stderr.trimEnd().split('\n')).to.have.length(3)
  })

  it('list all whom an email names, with code 5', async () => {
    const {code, stderr} = await get('mira.solheim@example.org')
    expect(code).to.equal(5)
    expect(stderr).to.match(/^ {2}\S+ {2}key=mira-berlin {2}berlin {2}.*Solheim$/m)
    expect(stderr.match(/^ {2}\S+ {2}key=/gm)).to.have.length.greaterThan(1)
    const masked = await get('mira.solheim@example.org', '--redact')
    expect(masked.stderr).to.not.match(/Solheim|mira-berlin/)
  })

  it('let a person at a terminal choose', async () => {
    const chosen = await desk.run(['customers', 'get', 'mira.solheim@example.org', '--json'], {
      answers: ['mira-berlin'],
    })
    expect(chosen.json).to.have.property('key', 'mira-berlin')
    const alike = await desk.run(['customers', 'get', 'brandv', '--json'], {answers: ['hazel-brandvold']})
    expect(alike.json).to.have.property('id', hazel.id)
    expect((await desk.run(['customers', 'get', 'brandv'], {answers: ['none of them']})).code).to.equal(3)
    expect((await desk.run(['customers', 'get', 'brandv', '--no-input'], {terminal: true})).code).to.equal(3)
  })
})
