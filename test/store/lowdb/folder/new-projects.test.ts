import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {openStore} from '../../../../src/store/open.js'
import {put} from '../../contract.js'
import {newDirectory, removeDirectories} from '../../directory.js'

describe('store · new projects', () => {
  after(removeDirectories)

  it('begin at once: twenty rounds of four, all of them listed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const dir = newDirectory()
      const store = await openStore({dir, facets: {}, writer: 'server'})
      const names = ['four', 'one', 'three', 'two']
      await Promise.all(names.map((name) => store.commit(name, [put('ada', 1)])))
      await store.close()
      const {projects} = JSON.parse(readFileSync(join(dir, 'PROJECTS.json'), 'utf8')) as {projects: string[]}
      expect(projects).to.deep.equal(names)
    }
  })
})
