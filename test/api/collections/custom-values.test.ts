import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import fc from 'fast-check'
import {Assertions} from '../../../src/cli/input/assertions.js'
import type {Client} from '../../../src/client/client.js'
import {Desk as Machine} from '../../cli/run.js'
import {rounds} from '../../rounds.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {type Body, type Desk, openDesk} from '../harness.js'
import {
  draftOf,
  holds,
  type Kind,
  kinds,
  mails,
  type Owner,
  owners,
  type Question,
  questions,
  read,
  type Value,
} from './custom-values.js'

describe('api · custom values', () => {
  let cluster: Cluster | undefined
  const desks = new Map<string, Desk>()
  const machine = new Machine()
  let customers: readonly Body[] = []

  before(async () => {
    cluster = await startCluster()
    desks.set('lowdb', await openDesk({seed: true}))
    if (cluster) desks.set('postgres', await openDesk({seed: true, storeUrl: await cluster.database('values')}))
    for (const desk of desks.values()) {
      for (const owner of owners) {
        const answer = await desk.ask('POST', '/customers', {body: draftOf(owner)})
        expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
      }
    }
    customers = (await desks.get('lowdb')?.ask('GET', '/customers?limit=500'))?.body.results
    const file = join(machine.folder, 'values.jsonl')
    writeFileSync(file, owners.map((owner) => JSON.stringify(draftOf(owner))).join('\n'))
    machine.env['FRONTDESK_PROJECT_KEY'] = 'demo'
    expect(await machine.run(['server', 'seed', 'fixtures/demo', '--project-key', 'demo'])).to.include({code: 0})
    const ended = await machine.run(['customers', 'import', file, '--yes'])
    expect(ended.code, ended.stderr).to.equal(0)
  })
  after(async () => {
    for (const desk of desks.values()) await desk.runtime.state.close()
    await cluster?.stop()
    machine.remove()
  })

  const ours = (found: readonly Body[]): string[] =>
    found.flatMap(({key}) => (key?.startsWith('v-') ? [key as string] : [])).sort()
  const expectedOf = (question: Question, asked: ReturnType<typeof read>) =>
    owners.flatMap((owner) => (holds(owner, question, asked) ? [owner.key] : [])).sort()

  it('are compared alike by REST on every store and by GraphQL, however they are written', async () => {
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const asked = read(question)
        const {where, variables} = asked
        const expected = expectedOf(question, asked)
        const search = new URLSearchParams([['where', where], ['limit', '500'], ...variables.map(asVariable)])
        for (const [name, desk] of desks) {
          const {status, body} = await desk.ask('GET', `/customers?${search}`)
          expect(status, `${name}: ${where} ${body.message}`).to.equal(200)
          expect(ours(body.results), `${name}: ${where} ${variables}`).to.deep.equal(expected)
        }
        if (variables.length > 0) return
        const query = 'query ($where: String) {customers(where: $where, limit: 500) {results {key}}}'
        const lowdb = desks.get('lowdb') as Desk
        const {body} = await lowdb.ask('POST', '/graphql', {body: {query, variables: {where}}})
        expect(ours(body.data.customers.results), where).to.deep.equal(expected)
      }),
      {numRuns: rounds(150, 3000)},
    )
  })

  it('are compared alike by the command, --expect-count and the customer of a token', async () => {
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const asked = read(question)
        const expected = expectedOf(question, asked)
        const variables = asked.variables.flatMap((one) => ['--var', `v=${one}`])
        const predicates = ['-w', asked.where, '-w', `email in (${mails})`, ...variables]
        const count = ['--expect-count', `${expected.length}`]
        const {code, json, stderr} = await machine.run(['customers', 'query', ...predicates, ...count, '--json'])
        expect(code, `${asked.where} ${asked.variables} ${stderr}`).to.equal(0)
        expect(ours((json as Body).results), asked.where).to.deep.equal(expected)
        const desk = desks.get('lowdb') as Desk
        const {id, key} = customers.find((one) => one.key?.startsWith('v-')) as Body
        const token = await desk.token('manage_my_profile', {customerId: id})
        const search = new URLSearchParams([['where', asked.where], ...asked.variables.map(asVariable)])
        expect((await desk.ask('GET', `/me?${search}`, {token})).status).to.equal(expected.includes(key) ? 200 : 404)
      }),
      {numRuns: rounds(8, 200)},
    )
  })

  it('are compared alike by --assert', async () => {
    const desk = desks.get('lowdb') as Desk
    let reads = 0
    const call = async ({path}: {path: string}, _: unknown, {query}: {query: Record<string, string | string[]>}) => {
      reads += 1
      const parameters = Object.entries(query).flatMap(([name, texts]) =>
        [texts].flat().map((text): [string, string] => [name, text]),
      )
      return (await desk.ask('GET', `/${path.split('/').at(-1)}?${new URLSearchParams(parameters)}`)).body
    }
    const run = {asClient: <R>(work: (client: Client) => Promise<R>) => work({call} as unknown as Client)}
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const {operator, place} = question
        const asked = read(question)
        const {kind, raw} = asked
        if (asked.isList || operator === '<=' || operator === '>=' || (kind.isSet && kind.member)) return
        const path = ['custom.fields', kind.field, ...(kind.member ? [kind.member] : [])].join('.')
        const text = `${path} ${operator} ${raw[0]}`
        const assertions = new Assertions([text], run)
        const before = reads
        for (const owner of owners) {
          const customer = customers.find(({key}) => key === owner.key)
          const isAbsent = owner.has(kind, place).length === 0
          // A value that is not there is another one.
          const expected = holds(owner, question, asked) || (isAbsent && operator === '!=')
          expect(await assertions.falseOf(customer), `${owner.key}: ${text}`).to.have.length(expected ? 0 : 1)
        }
        expect(reads - before, text).to.equal(isText(kind) ? 1 : 0)
      }),
      {numRuns: rounds(300, 3000)},
    )
  })

  it('are ordered as their type', async () => {
    for (const {field, values, isSet, member} of kinds) {
      if (isSet) continue
      const place = kinds.findIndex((kind) => kind.field === field)
      const path = ['custom.fields', field, ...(member ? [member] : [])].join('.')
      const rank = ({has}: Owner) => has(kinds[place] as Kind, place).map((which) => (values[which] as Value).is)[0]
      for (const [name, desk] of desks) {
        const {body} = await desk.ask('GET', `/customers?limit=500&sort=${encodeURIComponent(`${path} asc`)}`)
        const found = ours(body.results)
        expect(found).to.have.length(owners.length)
        const inOrder = body.results.flatMap(({key}: Body) => owners.filter((owner) => owner.key === key).map(rank))
        const present = inOrder.filter((one: unknown) => one !== undefined)
        expect(inOrder.slice(0, present.length), `${name}: ${path}`).to.deep.equal(
          [...present].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        )
      }
    }
  })

  it('are refused as literals of another type, by its name and with an example', async () => {
    const wrong: readonly [string, string][] = [
      ['lastVisit = "yesterday"', 'DateTime such as "2026-'],
      ['lastVisit != "2026-02-30"', 'DateTime such as "2026-'],
      ['calls contains all ("2026-10-30", "x")', 'DateTime such as "2026-'],
      ['lastVisit > 5', 'DateTime such as "2026-'],
      ['callAt < "10:30"', 'Time such as "10:30:00.000"'],
      ['anniversary = "2000-02-29T00:00:00Z"', 'Date such as "1985-05-07"'],
      ['shoeSize != "5"', 'Number such as 12.5'],
      ['subscribed = "true"', 'Boolean, true or false'],
      ['note = 5', 'String in double quotes such as "text"'],
      ['tier != "glod"', 'Enum such as "bronze", "silver", "gold"'],
      ['seasons in ("spring", "summer")', 'Enum such as "spring", "winter"'],
      ['budget > 5', 'Money, as in budget(currencyCode = "EUR"'],
      ['budget(centAmount = "5")', 'Number such as 12.5'],
      ['adviser = "x"', 'Reference, as in adviser(id = "ID")'],
      ['greeting = "hi"', 'LocalizedString, as in greeting(en = "text")'],
      ['lastVisit = :v', 'DateTime such as "2026-'],
    ]
    for (const [name, desk] of desks) {
      for (const [condition, text] of wrong) {
        const search = new URLSearchParams({where: `custom(fields(${condition}))`, 'var.v': 'soon'})
        const {status, body} = await desk.ask('GET', `/customers?${search}`)
        expect(status, `${name}: ${condition}`).to.equal(400)
        expect(body.message, `${name}: ${condition}`).to.include(text)
      }
    }
  })

  it('are compared as what they are under a name that no type has', async () => {
    for (const desk of desks.values()) {
      const where = encodeURIComponent('custom(fields(nobody != "2026-10-30" or nobody = 5))')
      expect((await desk.ask('GET', `/customers?where=${where}`)).body).to.include({count: 0})
    }
  })

  it('have the types that are there when they are read', async () => {
    for (const [name, desk] of desks) {
      const type = async (fieldType: object) => {
        const body = {
          key: `changing-${name}`,
          name: {en: 'x'},
          resourceTypeIds: ['customer'],
          fieldDefinitions: [{name: 'changing', label: {en: 'x'}, required: false, type: fieldType}],
        }
        return (await desk.ask('POST', '/types', {body})).body
      }
      const where = encodeURIComponent('custom(fields(changing < "2026-10-30"))')
      const ask = async () => (await desk.ask('GET', `/customers?where=${where}`)).status
      const {id, version} = await type({name: 'Date'})
      expect(await ask()).to.equal(200)
      expect((await desk.ask('DELETE', `/types/${id}?version=${version}`)).status).to.equal(200)
      await type({name: 'Number'})
      expect(await ask(), name).to.equal(400)
    }
  })
})

const asVariable = (value: string): [string, string] => ['var.v', value]

/** Whether values of the kind are texts in JSON. */
const isText = ({values, member}: Kind): boolean => member === 'id' || typeof values[0]?.written[0] === 'string'
