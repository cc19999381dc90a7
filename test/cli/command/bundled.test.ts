import {expect} from 'chai'
import {readCommandLine} from '../../../src/cli/command/argv.js'
import {bundledConfig} from '../../../src/cli/command/bundled.js'
import {root} from '../run.js'

class Get {}

describe('cli · commands of the bundle', () => {
  it('are those of the manifest, with the modules of the bundle', async () => {
    const config = await bundledConfig(root, {'customers:get': () => Promise.resolve({default: Get})})
    const line = await readCommandLine(['customer', 'show', 'key=a', '-o', 'json'], config)
    expect(line).to.include({id: 'customers:get', isCommand: true})
    expect(config.findCommand('customers:get')).to.include({summary: 'Show customers', pluginName: 'frontdesk'})
    expect(await config.findCommand('customers:get')?.load()).to.equal(Get)
    expect(config.findTopic('customers')?.name).to.equal('customers')
    expect(config.findCommand('customers')).to.equal(undefined)
  })
})
