import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {expect} from 'chai'
import {absoluteFolder, foldersOf, ignoredFolders} from '../../../src/cli/target/folders.js'
import {root} from '../run.js'

const home = '/home/ada'

describe('cli · the folders of the program', () => {
  it('are those of the variables, or below the home', () => {
    const {config, data} = foldersOf({HOME: home})
    expect([config, data]).to.deep.equal([`${home}/.config/frontdesk`, `${home}/.local/share/frontdesk`])
    expect(foldersOf({HOME: home, XDG_CONFIG_HOME: '/etc/xdg'}).config).to.equal('/etc/xdg/frontdesk')
    expect(foldersOf({HOME: home, XDG_CONFIG_HOME: '/x', FRONTDESK_CONFIG_DIR: '/own'}).config).to.equal('/own')
    expect(foldersOf({HOME: home, XDG_DATA_HOME: ''}).data, 'empty counts as unset').to.equal(data)
  })

  for (const value of ['.config', './x', '~/x', '~', '/x\r', '/x\n/y']) {
    it(`are refused by the name of the variable where it is ${JSON.stringify(value)}`, () => {
      for (const name of ['FRONTDESK_CONFIG_DIR', 'XDG_CONFIG_HOME', 'HOME'])
        expect(() => foldersOf({HOME: home, [name]: value}).config, name).to.throw(name)
      for (const name of ['FRONTDESK_DATA_DIR', 'XDG_DATA_HOME', 'HOME'])
        expect(() => foldersOf({HOME: home, [name]: value}).data, name).to.throw(name)
      for (const name of ['FRONTDESK_CACHE_DIR', 'XDG_CACHE_HOME'])
        expect(ignoredFolders({HOME: home, [name]: value}), name).to.match(new RegExp(`^Not used: ${name} `))
    })
  }

  it('are refused where HOME is empty, and needed', () => {
    expect(() => foldersOf({HOME: ''}).config).to.throw('HOME is set and empty')
    expect(foldersOf({HOME: '', FRONTDESK_CONFIG_DIR: '/own'}).config).to.equal('/own')
    expect(() => absoluteFolder('x', 'profile a')).to.throw('profile a is x, which is no absolute path')
  })

  it('are, for the cache, those that the kept compiled code has', () => {
    const program = `const path = ${JSON.stringify(join(root, 'bin/code-cache.js'))}
      const text = require('fs').readFileSync(path, 'utf8').replace('module.exports = {', 'module.exports = {cacheFolder, ')
      const module_ = {exports: {}}
      new Function('require', 'module', 'process', text)(require, module_, process)
      console.log(module_.exports.cacheFolder())`
    for (const env of [
      {HOME: home},
      {HOME: home, XDG_CACHE_HOME: '/x'},
      {HOME: home, XDG_CACHE_HOME: 'x'},
      {HOME: home, XDG_CACHE_HOME: '/x', FRONTDESK_CACHE_DIR: '/own'},
      {HOME: home, XDG_CACHE_HOME: '/x', FRONTDESK_CACHE_DIR: '~/own'},
      {HOME: home, XDG_CACHE_HOME: '/x\r', FRONTDESK_CACHE_DIR: ''},
    ]) {
      const {stdout} = spawnSync(process.execPath, ['-e', program], {env, encoding: 'utf8'})
      expect(stdout.trim(), JSON.stringify(env)).to.equal(foldersOf(env).cache)
    }
  })
})
