import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {presetNames} from '../../../src/transfer/presets/preset-names.js'
import {Desk, root} from '../run.js'

describe('cli · presets', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const fixture = (name: string): string => join(root, 'fixtures/shops', name)
  const mode = ['--password-mode', 'external-auth']

  it('says which shop an example comes from, and prints the map of its preset', async () => {
    const examples = readdirSync(join(root, 'fixtures/shops'))
    for (const preset of presetNames) {
      const file = examples.find((name) => new RegExp(`^${preset}\\.(csv|jsonl?|xml)$`).test(name)) ?? ''
      const found = await desk.run(['customers', 'template', fixture(file)])
      expect(found.stderr, file).to.include(`customers import FILE --preset ${preset}`)
      const printed = await desk.run(['customers', 'template', '--preset', preset])
      expect(JSON.parse(found.stdout), file).to.deep.include(JSON.parse(printed.stdout) as object)
      expect(JSON.parse(printed.stdout), file).to.include.keys('columns', 'leftOut')
    }
    const foreign = await desk.run(['customers', 'template', join(root, 'fixtures/customers/shop-export.csv')])
    expect(foreign.stderr).not.to.include('--preset')
  })

  it('prints a map file that does what the preset does', async () => {
    const {stdout} = await desk.run(['customers', 'template', '--preset', 'magento2'])
    const map = join(desk.folder, 'map.json')
    writeFileSync(map, stdout)
    const first = await desk.run([
      'customers',
      'import',
      fixture('magento2.csv'),
      '--preset',
      'magento2',
      ...mode,
      '--json',
    ])
    expect(first.json, first.stderr).to.include({read: 2, created: 2})
    const second = await desk.run([
      'customers',
      'import',
      fixture('magento2.csv'),
      '--map-file',
      map,
      ...mode,
      '--json',
    ])
    expect(second.json, second.stderr).to.include({read: 2, unchanged: 2})
    const difference = await desk.run(['customers', 'diff', fixture('magento2.csv'), '--preset', 'magento2', ...mode])
    expect(difference.code, difference.stderr).to.equal(0)
    expect(difference.stdout).to.match(
      /^\d+ rows: 0 create, 0 update, \d+ unchanged, 0 skipped, 0 conflict, 0 invalid\n$/,
    )
  })

  it('lets flags and a map file win over the preset', async () => {
    const map = join(desk.folder, 'over.json')
    writeFileSync(
      map,
      '{"transforms": {"key": ["replace:/^\'//", "prefix:kestrel-"]}, "constants": {"title": "Customer"}}',
    )
    const over = ['--map-file', map, '--map', 'Note=middleName', '--match', 'email', '--set-all', 'salutation=Dear']
    const file = fixture('shopify.csv')
    const {code, stderr} = await desk.run(['customers', 'import', file, '--preset', 'shopify', ...over, ...mode])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('Tags (kept as custom fields with --custom-type KEY)')
    expect(stderr).to.include('Total Spent, Total Orders (counted from orders)')
    expect(stderr).to.include("1 row has a value in 'Phone' but no address to keep it in")
    expect(stderr).not.to.match(/ignored columns of [^:]*:[^\n]*\bNote\b/)
    const {json} = await desk.run(['customers', 'get', 'kestrel-5', '--json'])
    expect(json).to.deep.include({title: 'Customer', salutation: 'Dear', middleName: '2024', externalId: '5'})
  })

  it('refuses what a preset cannot do, and what needs a preset', async () => {
    const file = fixture('shopify.csv')
    for (const [argv, words] of [
      [['customers', 'import', file, '--preset', 'shopify', '--with-stores'], 'The export of Shopify has no stores'],
      [['customers', 'import', file, '--custom-type', 'x'], '--preset'],
      [['customers', 'import', file, '--preset', 'shop'], 'shopware6'],
      [['customers', 'template', file, '--preset', 'shopify'], 'takes no file'],
      [['customers', 'import', fixture('salesforce.xml')], 'no map says which element is a row'],
    ] as const) {
      const refused = await desk.run([...argv])
      expect(refused.code, argv.join(' ')).to.equal(2)
      expect(refused.stderr, argv.join(' ')).to.include(words)
    }
  })
})
