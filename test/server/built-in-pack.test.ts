import {readdirSync} from 'node:fs'
import {expect} from 'chai'
import {startServer} from '../../src/index.js'
import {Desk} from '../cli/run.js'

describe('server · the built-in seed pack', () => {
  it('is meant by its name in the library, whatever folder the process is in', async () => {
    const server = await startServer({projectKey: 'demo', seedDir: 'demo'})
    try {
      const token = await server.tokenFor('key=hazel-brandvold')
      expect(token).to.be.a('string')
    } finally {
      await server.stop()
    }
    const refused = await startServer({projectKey: 'demo', seedDir: './demo'}).catch((error: Error) => error)
    expect(refused)
      .to.have.property('message')
      .that.matches(/^The seed folder \/.*\/demo cannot be read/)
  })

  it('is meant by its name in commands, and ./demo names a folder', async () => {
    const desk = new Desk()
    try {
      const seeded = await desk.run(['server', 'seed', 'demo', '--project-key', 'demo', '--json'])
      expect(seeded.code, seeded.stderr).to.equal(0)
      expect(seeded.json).to.have.nested.property('counts.customer').that.is.greaterThan(10)
      const left = readdirSync(`${desk.folder}/data`, {recursive: true, withFileTypes: true}).filter((entry) =>
        entry.isFile(),
      )
      expect(left.map(({name}) => name)).to.have.length.lessThan(16)
      const refused = await desk.run(['server', 'seed', './demo', '--project-key', 'other'])
      expect(refused.code).to.equal(2)
      expect(refused.stderr).to.match(/The seed folder \/.*\/demo cannot be read/)
    } finally {
      desk.remove()
    }
  })
})
