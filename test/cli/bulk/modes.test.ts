import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

interface Row {
  readonly identity: string
  readonly do: string
  readonly actions?: readonly {readonly action: string}[]
  readonly kept?: readonly string[]
}

const [home, work] = [
  {country: 'DE', city: 'Kiel'},
  {country: 'DE', city: 'Bonn'},
]

describe('cli · customers import · what each mode plans', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const importing = async (rows: readonly object[], ...argv: readonly string[]) => {
    const path = join(desk.folder, 'rows.jsonl')
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
    return desk.run(['customers', 'import', path, '--password-mode', 'external-auth', '--json', ...argv])
  }
  const planned = async (rows: readonly object[], ...argv: readonly string[]): Promise<readonly Row[]> => {
    const {json, stderr} = await importing(rows, '--dry-run', ...argv)
    expect(json, stderr).to.have.property('rows')
    return (json as {rows: Row[]}).rows
  }
  const ada = {key: 'ada', email: 'ada@example.com', customerNumber: '7', externalId: 'E-7', addresses: [home]}
  const eve = {key: 'eve', email: 'eve@example.com'}

  before(async () => {
    expect((await importing([{...ada, firstName: 'Ada', lastName: 'King'}])).code).to.equal(0)
    const actions = JSON.stringify([
      {action: 'setFirstName', firstName: 'By hand'},
      {action: 'addAddress', address: work},
    ])
    const {code, stderr} = await desk.run(['customers', 'update', 'key=ada', '--actions', actions])
    expect(code, stderr).to.equal(0)
  })

  for (const [mode, does] of [
    ['create', ['skip', 'create']],
    ['update', ['update', 'skip']],
    ['upsert', ['update', 'create']],
  ] as const) {
    it(`--mode ${mode}`, async () => {
      const rows = await planned([{...ada, lastName: 'Lovelace'}, eve], '--mode', mode)
      expect(rows.map((row) => row.do)).to.deep.equal(does)
    })
  }

  for (const [match, row] of [
    ['key', {key: 'ada'}],
    ['email', {email: 'ada@example.com'}],
    ['customerNumber', {customerNumber: '7'}],
    ['externalId', {externalId: 'E-7'}],
  ] as const) {
    it(`--match ${match}`, async () => {
      const [found] = await planned([{email: 'other@example.com', lastName: 'Lovelace', ...row}], '--match', match)
      expect(found).to.include({identity: `${match}=${Object.values(row)[0]}`, do: 'update'})
    })
  }

  for (const [onNewer, does, sets] of [
    ['keep', 'update', ['setLastName']],
    ['overwrite', 'update', ['setFirstName', 'setLastName']],
    ['fail', 'refuse', undefined],
  ] as const) {
    it(`--on-newer ${onNewer}`, async () => {
      const [row] = await planned([{...ada, firstName: 'Ada', lastName: 'Lovelace'}], '--on-newer', onNewer)
      expect(row?.do).to.equal(does)
      expect(row?.actions?.map(({action}) => action)).to.deep.equal(sets)
      expect(row?.kept).to.deep.equal(onNewer === 'keep' ? ['firstName'] : undefined)
    })
  }

  for (const [addresses, does] of [
    ['add', []],
    ['replace', ['removeAddress']],
  ] as const) {
    it(`--addresses ${addresses}`, async () => {
      const [row] = await planned([{...ada, lastName: 'King'}], '--addresses', addresses)
      expect((row?.actions ?? []).map(({action}) => action)).to.deep.equal(does)
    })
  }

  it('--format xml, where no name of a file tells it', async () => {
    const argv = ['customers', 'import', '-', '--preset', 'salesforce', '--dry-run', '--json']
    const stdin = readFileSync('fixtures/shops/salesforce.xml', 'utf8')
    const {json, stderr} = await desk.run([...argv, '--format', 'xml', '--password-mode', 'external-auth'], {stdin})
    expect(json, stderr).to.deep.include({dryRun: true, read: 2})
    expect((await desk.run([...argv, '--format', 'json', '--password-mode', 'external-auth'], {stdin})).code).to.equal(
      2,
    )
  })
})
