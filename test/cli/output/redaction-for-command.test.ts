import {expect} from 'chai'
import {namesOf} from '../../../src/cli/command/operations.js'
import {callsOf} from '../../../src/cli/command/scopes.js'
import {redactionFor} from '../../../src/cli/run/redaction.js'
import {config, Desk} from '../run.js'

const profiles = (redact: boolean) => () => ({
  current: 'mine',
  byName: new Map([['mine', {projectKey: 'shop', redact} as const]]),
})
const plain = profiles(false)
const whose = {firstName: 'Ada'}

describe('cli · which commands redact', () => {
  it('masks what shows people, asked by flag, environment or profile', async () => {
    for (const redaction of [
      await redactionFor('people', [], {}, {redact: true}, plain),
      await redactionFor('people', ['--redact'], {}, undefined, plain),
      await redactionFor('people', [], {FRONTDESK_REDACT: '1'}, {}, plain),
      await redactionFor('people', [], {}, {}, profiles(true)),
    ]) {
      expect(redaction.document(whose)).to.deep.equal({firstName: 'A***'})
    }
    expect((await redactionFor('people', [], {}, {}, plain)).document(whose)).to.equal(whose)
    expect((await redactionFor('installation', [], {}, {redact: true}, plain)).document(whose)).to.equal(whose)
  })

  it('exempts only commands that read no customer, quote or message of the API', async () => {
    const exempt = (await config()).commands.filter((command) => command['shows'] === 'installation')
    expect(exempt.length).to.be.greaterThan(30)
    const calls = new Set(exempt.flatMap((command) => namesOf(callsOf(command))))
    expect(
      [...calls].filter((name) => !/^(request|introspect|revoke)[A-Za-z]*Token(InStore)?$/.test(name)),
    ).to.deep.equal([])
  })

  it('leaves a profile readable, and masks a customer', async () => {
    const desk = new Desk()
    const added = await desk.run('login ada --local --project-key shop --redact --json'.split(' '))
    expect(added.json).to.include({profile: 'ada', projectKey: 'shop'})
    const draft = 'customers create --email ada@example.com --external-auth --dry-run --redact --json'
    expect((await desk.run(draft.split(' '))).json).to.have.nested.property('draft.email', 'a***@e***.com')
  })
})
