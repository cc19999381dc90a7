import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import {expect} from 'chai'
import {Desk, root} from '../cli/run.js'
import {schemaPages} from './schemas.js'

const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What a schema finds wrong; undefined if nothing. */
function wrong(name: string, value: unknown): string | undefined {
  const page = schemaPages().find(({path}) => path === `docs/schemas/${name}.json`)
  expect(page, name).to.not.equal(undefined)
  const ajv = new Ajv({strict: false})
  return ajv.validate(JSON.parse(page?.text ?? '') as object, value) ? undefined : ajv.errorsText()
}

describe('docs · JSON schemas', () => {
  let desk: Desk
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  it('are fresh', () => {
    for (const {path, text} of schemaPages()) {
      expect(readFileSync(join(root, path), 'utf8'), `${path}: run npm run docs`).to.equal(text)
    }
    expect(readdirSync(join(root, 'docs/schemas'))).to.have.length(schemaPages().length)
  })

  it('take the map file, the suite and the pack that are shipped, and refuse what the program refuses', () => {
    const map = json('fixtures/customers/shop-export.map.json') as object
    const suite = json('fixtures/checks/staging.json') as object
    const files = readdirSync(join(root, 'fixtures/demo'))
    const pack = Object.fromEntries(files.map((file) => [file.replace('.json', ''), json(`fixtures/demo/${file}`)]))
    expect(wrong('map-file', map)).to.equal(undefined)
    expect(wrong('check-suite', suite)).to.equal(undefined)
    expect(wrong('seed-pack', pack)).to.equal(undefined)
    expect(wrong('map-file', {...map, colums: {}})).to.include('additional properties')
    expect(wrong('map-file', {columns: {email: 7}})).to.be.a('string')
    expect(wrong('check-suite', {checks: [{name: 'x', gett: {}}]})).to.be.a('string')
    expect(wrong('seed-pack', {customers: [{firstName: 'Ada'}]})).to.include('email')
  })

  it('describe what commands print with --json', async () => {
    const printed = async (...argv: string[]): Promise<unknown> => (await desk.run([...argv, '--json'])).json
    const project = ['--project-key', 'demo']
    await desk.run(['server', 'seed', 'demo', ...project])
    const suite = join(root, 'fixtures/checks/staging.json')
    const failing = join(desk.folder, 'failing.json')
    writeFileSync(failing, '{"checks": [{"name": "x", "exists": {"resource": "customers", "ref": "key=none"}}]}')
    const customers = join(root, 'fixtures/customers')
    const map = ['--map-file', join(customers, 'shop-export.map.json'), '--password-mode', 'external-auth']
    for (const [schema, result] of [
      ['check-report', await printed('check', 'run', suite, ...project)],
      ['check-report', await printed('check', 'run', failing, ...project)],
      ['import-result', await printed('customers', 'import', join(customers, 'broken.csv'), ...map, '--skip-invalid')],
      ['deprecation-report', await printed('deprecations', 'check', join(root, 'fixtures/deprecations'))],
      ['query-result', await printed('customers', 'query', '--limit', '2', ...project)],
      ['query-result', await printed('customers', 'query', '--all', ...project)],
      ['failure', await printed('customers', 'get', 'key=nobody', ...project)],
      ['failure', await printed('customers', 'gett')],
    ] as const) {
      expect(wrong(schema, result), `${schema}: ${JSON.stringify(result).slice(0, 300)}`).to.equal(undefined)
    }
    expect(wrong('check-report', {suite: 'x'})).to.be.a('string')
  })

  it('may be named in a map file, a suite and a pack', async () => {
    const write = (name: string, value: object): string => {
      const path = join(desk.folder, name)
      writeFileSync(path, JSON.stringify({$schema: './node_modules/frontdesk/docs/schemas/x.json', ...value}))
      return path
    }
    const rows = join(desk.folder, 'rows.csv')
    writeFileSync(rows, 'Mail,Id\nada@example.com,ada\n')
    const map = [
      '--map-file',
      write('map.json', {columns: {Mail: 'email', Id: 'key'}}),
      '--password-mode',
      'external-auth',
    ]
    const imported = await desk.run(['customers', 'import', rows, ...map, '--json'])
    expect(imported.code, imported.stdout).to.equal(0)
    expect(imported.json).to.include({created: 1, failed: 0})
    const check = {name: 'x', exists: {resource: 'customers', ref: 'ada@example.com'}}
    const checked = await desk.run(['check', 'run', write('suite.json', {checks: [check]})])
    expect(checked.code, checked.stderr).to.equal(0)
    write('project.json', {name: 'A shop'})
    const seeded = await desk.run(['server', 'seed', desk.folder, '--project-key', 'seeded'])
    expect(seeded.code, seeded.stderr).to.equal(0)
    const refused = await desk.run(['customers', 'import', rows, '--map-file', write('map.json', {$schema: 7})])
    expect(refused.code).to.equal(2)
    expect(refused.stderr).to.include("'$schema' of the map file")
  })
})
