import {readFileSync} from 'node:fs'
import {isAbsolute, join} from 'node:path'
import {expect} from 'chai'
import {seedFolder, shipped} from '../../src/files/shipped.js'

describe('files · what the package ships', () => {
  it('is found from wherever this is, and missed with its name', () => {
    expect(JSON.parse(readFileSync(shipped('package.json'), 'utf8'))).to.include({name: 'frontdesk'})
    expect(() => shipped('no-such', 'file')).to.throw(`The package lacks ${join('no-such', 'file')}.`)
  })

  it('is a seed pack by its name, and any other is a folder', () => {
    expect(seedFolder('demo')).to.equal(shipped('fixtures', 'demo'))
    for (const folder of ['./demo', 'packs'])
      expect(seedFolder(folder)).to.satisfy(isAbsolute).and.not.equal(shipped('fixtures', 'demo'))
  })
})
