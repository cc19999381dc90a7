import {copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {readCommandLine} from '../../../src/cli/command/argv.js'
import {bundledConfig} from '../../../src/cli/command/bundled.js'
import {root} from '../run.js'

const absent = () => Promise.reject(new Error('nothing is loaded here'))
const modules = {'customers:get': absent, 'customers:reset-password': absent, 'server:start': absent}

describe('cli · commands of the bundle', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-bundled-'))
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  })
  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  it('are found without the manifest, which only their descriptions need', async () => {
    const config = await bundledConfig(folder, modules)
    expect(config.commandIDs).to.deep.equal(Object.keys(modules))
    expect(await readCommandLine(['customer', 'show', 'key=a', '-o', 'json'], config)).to.include({
      id: 'customers:get',
      isCommand: true,
    })
    expect(config.findTopic('customers')?.name).to.equal('customers')
    expect(config.findTopic('customers:reset')).to.equal(undefined)
    expect(config.findCommand('customers')).to.equal(undefined)
    expect(() => config.findCommand('customers', {must: true})).to.throw('no command customers')
    expect(() => config.findCommand('customers:get')?.summary).to.throw('ENOENT')

    copyFileSync(join(root, 'oclif.manifest.json'), join(folder, 'oclif.manifest.json'))
    const get = config.findCommand('customers:get')
    expect(get).to.include({summary: 'Show customers', id: 'customers:get', pluginName: 'frontdesk'})
    expect(get?.hiddenAliases, 'synonyms are found by rules').to.deep.equal([])
    expect({...config.findCommand('server:start')}, 'a copy').to.include.keys('load', 'flags', 'summary')
  })

  it('make the topics that oclif makes, and a text that is set stays', async () => {
    copyFileSync(join(root, 'oclif.manifest.json'), join(folder, 'oclif.manifest.json'))
    const {topics} = await bundledConfig(folder, modules)
    expect(topics.map(({name}) => name)).to.deep.equal([
      ...['customers:get', 'customers', 'customers:reset-password', 'server:start', 'server'],
    ])
    const [get, customers] = topics
    if (customers) customers.description = 'about customers'
    expect({...customers}).to.deep.equal({name: 'customers', description: 'about customers'})
    expect({...get}).to.deep.equal({name: 'customers:get', description: 'Show customers'})
  })

  it('have the theme of the user, if there is one', async () => {
    const before = process.env['FRONTDESK_CONFIG_DIR']
    process.env['FRONTDESK_CONFIG_DIR'] = join(folder, 'config')
    try {
      expect((await bundledConfig(folder, modules)).theme).to.equal(undefined)
      mkdirSync(join(folder, 'config'))
      writeFileSync(join(folder, 'config', 'theme.json'), '{"command": "red"}')
      expect((await bundledConfig(folder, modules)).theme).to.deep.equal({command: 'red'})
    } finally {
      if (before === undefined) delete process.env['FRONTDESK_CONFIG_DIR']
      else process.env['FRONTDESK_CONFIG_DIR'] = before
    }
  })
})
