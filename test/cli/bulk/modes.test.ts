import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

interface Row {
  readonly identity: string
  readonly do: string
  readonly reason?: string
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

  it('refuses what acts in other modes alone', async () => {
    for (const [flags, needed] of [
      [['--generated-passwords', 'p'], '--password-mode generate'],
      [['--password-mode', 'generate', '--reset-links', 'l'], '--password-mode reset-links'],
      [['--reset-links-ttl', '60m'], '--password-mode reset-links'],
      [['--mode', 'create', '--on-newer', 'keep'], '--mode upsert'],
      [['--mode', 'create', '--addresses', 'add'], '--mode upsert'],
    ] as const) {
      const {code, stderr} = await desk.run(['customers', 'import', 'none.csv', ...flags])
      expect([code, stderr.includes('has no effect'), stderr.includes(`Add ${needed}`)], stderr).to.deep.equal([
        2,
        true,
        true,
      ])
    }
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

  const one = {key: 'one', email: 'one@example.com', at: '2026-01-01'}
  const again = {...one, email: 'ONE@example.com', at: '2026-03-01 10:00'}
  const other = {...one, key: 'other', at: '2026-02-01'}
  for (const [choice, does, why] of [
    ['first', ['create', 'skip', 'skip'], "The email 'one@example.com' is also on line 1, which counts."],
    ['last', ['skip', 'skip', 'create'], "The key 'one' is also on line 2, which counts."],
    ['newest:at', ['skip', 'create', 'skip'], "The email 'one@example.com' is also on line 2, which counts."],
  ] as const) {
    it(`--on-duplicate ${choice}`, async () => {
      const rows = await planned([one, again, other], '--on-duplicate', choice)
      expect(rows.map((row) => row.do)).to.deep.equal(does)
      expect(rows.flatMap(({reason}) => reason ?? [])).to.include(why)
      const {json} = await importing([one, again, other], '--on-duplicate', choice, '--dry-run', '--mode', 'create')
      expect(json).to.include({read: 3, create: 1, skipped: 2})
    })
  }

  it('--on-duplicate is told of in the page of the run', async () => {
    const page = join(desk.folder, 'run.html')
    await importing([one, again, other], '--on-duplicate', 'last', '--report', page, '--mode', 'create')
    expect(readFileSync(page, 'utf8')).to.include(
      '2 rows are about the customer of another row, which counts instead, first on line 1 (and 2)',
    )
    expect((await desk.run(['undo', '--yes'])).code).to.equal(0)
  })

  it('--on-duplicate newest leaves rows that nothing tells apart as they are', async () => {
    const {code, json} = await importing([one, {...again, at: 'lately'}], '--on-duplicate', 'newest:at', '--dry-run')
    expect(code).to.equal(2)
    expect(JSON.stringify(json)).to.include("The key 'one' is already used on line 1.")
  })

  for (const choice of ['newest:nothing', 'newest:', 'worst'])
    it(`--on-duplicate ${choice} is refused`, async () => {
      expect((await importing([one], '--on-duplicate', choice)).code).to.equal(2)
    })

  it('--on-duplicate newest takes its column, which is not told as ignored', async () => {
    const ignored = 'ignored columns of'
    expect((await importing([one], '--dry-run')).stderr).to.include(ignored)
    expect((await importing([one, again], '--on-duplicate', 'newest:at', '--dry-run')).stderr).to.not.include(ignored)
  })

  it('--on-duplicate is part of a plan', async () => {
    const plan = join(desk.folder, 'plan.jsonl')
    expect((await importing([one, again], '--on-duplicate', 'last', '--plan-out', plan)).code).to.equal(0)
    const {json, stderr} = await desk.run(['customers', 'import', '--apply', plan, '--json'])
    expect(json, stderr).to.include({read: 2, created: 1, skipped: 1})
  })

  it('--create-references creates groups and stores that rows name, after all rows were checked', async () => {
    const vip = {customerGroup: {typeId: 'customer-group', key: 'vip'}, stores: [{typeId: 'store', key: 'kiel'}]}
    const rows = [{key: 'guest', email: 'guest@example.com', ...vip}]
    const names = ['customer-group key vip', 'store key kiel']
    expect((await importing(rows, '--dry-run')).json).to.include({conflict: 1})
    expect((await importing([...rows, {key: 'no-email'}], '--create-references')).code).to.equal(2)
    for (const argv of [['--dry-run'], ['--dry-run'], []]) {
      const {json, stderr} = await importing(rows, '--create-references', ...argv)
      expect(json, stderr).to.deep.include({createdReferences: names})
      expect(json).to.include(argv.length > 0 ? {create: 1, conflict: 0} : {created: 1, failed: 0})
    }
    const {json} = await importing(rows, '--create-references')
    expect(json).to.include({unchanged: 1}).and.not.to.have.property('createdReferences')
  })

  for (const [mode, code] of [
    ['update', 'no-such'],
    ['create', 'guest'],
  ] as const)
    it(`--create-references creates nothing for rows that --mode ${mode} leaves alone`, async () => {
      const stores = [{typeId: 'store', key: `idle-${mode}`}]
      const {json, stderr} = await importing([{key: code, email: `${code}@example.com`, stores}], '--mode', mode)
      expect(json, stderr).to.include({skipped: 1}).and.not.to.have.property('createdReferences')
      const run = await importing(
        [{key: code, email: `${code}@example.com`, stores}],
        ...['--mode', mode, '--create-references'],
      )
      expect(run.json, run.stderr).to.include({skipped: 1}).and.not.to.have.property('createdReferences')
      expect((await desk.run(['api', 'GET', `stores/key=idle-${mode}`])).code).to.equal(3)
    })

  it('--create-references creates nothing for rows that are refused, and an undo says what stays', async () => {
    const group = (key: string) => ({customerGroup: {typeId: 'customer-group', key}})
    const rows = [
      {key: 'fine', email: 'fine@example.com', ...group('silver')},
      {key: 'ill', email: 'ill@example.com', ...group('not a key'), stores: [{typeId: 'store', key: 'unborn'}]},
    ]
    const {json, stderr} = await importing(rows, '--create-references')
    const names = ['customer-group key silver']
    expect(json, stderr).to.deep.include({created: 1, failed: 1, createdReferences: names})
    const {job} = json as {job: string}
    expect((await desk.run(['jobs', 'show', job, '--json'])).json).to.deep.include({references: names})
    const dry = await desk.run(['undo', job, '--dry-run'])
    expect(dry.stdout).to.include('stay, since only customers are taken back: customer-group key silver')
    expect((await desk.run(['undo', job, '--yes', '--json'])).json).to.deep.include({deleted: 1, referencesLeft: names})
  })

  it('--create-references creates within the job, which is there when one of them is refused', async () => {
    const gold = {key: 'other', groupName: 'gold'}
    await desk.run(['api', 'POST', 'customer-groups', '--body', '-'], {stdin: JSON.stringify(gold)})
    const rows = [{key: 'guest', email: 'guest@example.com', customerGroup: {typeId: 'customer-group', key: 'gold'}}]
    const {code, stdout} = await importing(rows, '--create-references')
    expect(code).to.equal(5)
    const [, job = 'none'] = /The job (\S+) stopped.*0 rows are finished/.exec(stdout) ?? []
    const shown = (await desk.run(['jobs', 'show', job, '--json'])).json
    expect(shown, 'nothing was created').to.include({id: job}).and.not.to.have.property('references')
  })

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
