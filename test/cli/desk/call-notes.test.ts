import {expect} from 'chai'
import {Desk} from '../run.js'
import {asks, courseOf, enter, esc, report} from './scripted-call.js'
import {enter as enterKey, Telephone} from './telephone.js'

const id = '1a6d66fe-b045-4294-88fa-3a4ddaf9d263'

describe('cli · desk, the note of a call', () => {
  const about = {target: id, ticket: 'CS-17', reason: 'asked for the bill'}

  it('is an entry of its own where no write carries it, however the call ends', async () => {
    for (const end of [['/'], ['.'], ['h', '/'], [], ['petra', enter]])
      expect((await courseOf(['x', 't', 'CS-17', 'asked for the bill', ...end], {policy: asks})).notes).to.deep.equal([
        about,
      ])
  })

  it('is kept where the act is declined that it was given for', async () => {
    const {notes, ran} = await courseOf(['x', 'r', 'CS-17', enter, 'o', esc, '/'], {
      policy: asks,
      opens: [],
      offers: [],
    })
    expect(ran).to.have.length(1)
    expect(notes, 'the write has it').to.deep.equal([])
    const declined = await courseOf(['x', 'o', 'CS-17', enter, esc, '/', 'y'], {policy: asks})
    expect(declined.notes).to.deep.equal([{target: id, ticket: 'CS-17'}])
  })

  it('rides on a write, also on one that fails, and is owed again once it is another', async () => {
    const failed = {policy: asks, ends: [report('Unauthorized', 4)]}
    expect((await courseOf(['x', 'o', 'CS-17', enter, enter, '/'], failed)).notes).to.deep.equal([])
    const again = await courseOf(['x', 'o', 'CS-17', enter, enter, 't', 'CS-18', enter, '/'], {policy: asks})
    expect(again.notes).to.deep.equal([{target: id, ticket: 'CS-18'}])
  })

  it('says nothing where nothing was said', async () => {
    expect((await courseOf(['x', 't', enter, enter, '/'], {policy: asks})).notes).to.deep.equal([])
  })

  it('is in the audit log and in the history, also where the terminal goes away, and is no act to take back', async () => {
    const desk = new Desk()
    const target = ['--project-key', 'demo']
    await desk.run(['server', 'seed', 'demo', ...target])
    await desk.run(['customers', 'update', `id=${id}`, ...target, '--set', 'title=Sir'])
    const call = new Telephone(desk, target)
    await call.answers('Who is calling?', 'hazel')
    await call.answers('1 found', enterKey)
    await call.answers('What next?', 't')
    await call.answers('Ticket', `CS-17${enterKey}`)
    await call.answers('Reason', `asked for the bill${enterKey}`)
    await call.answers('Saved with your next action', '')
    await call.sees('What next?')
    call.hangUp()
    await call.ended
    const listed = await desk.run(['audit', 'list', '--ticket', 'CS-17', '--json'])
    expect(listed.code, listed.stderr).to.equal(0)
    expect((listed.json as {results: object[]}).results).to.have.length(1)
    expect((listed.json as {results: object[]}).results[0]).to.include({
      ...{command: 'desk', target: id, ticket: 'CS-17', reason: 'asked for the bill', result: 'noted'},
    })
    const {stdout} = await desk.run(['customers', 'history', `id=${id}`, ...target])
    expect(stdout).to.match(/call noted.*CS-17: asked for the bill/s)
    expect((await desk.run(['undo', `id=${id}`, ...target, '--dry-run'])).code).to.equal(0)
    desk.remove()
  })
})
