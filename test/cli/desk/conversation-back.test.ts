import {expect} from 'chai'
import {asks, courseOf, ctrlC, enter, plain, report} from './scripted-call.js'

describe('cli · desk · conversation, back to a question', () => {
  const card = 'What next?'
  const search = 'Who is calling? []'

  it('goes back to the question before, as often as there are some', async () => {
    const {asked, ran} = await courseOf(['x', 'n', 'Dr.', 'Wrong', '<', '<', 'Prof.', 'Hazel', enter])
    expect(asked.slice(2).map((question) => question.split(' ')[0])).to.deep.equal([
      'Title',
      'First',
      'Last',
      'First',
      'Title',
      'First',
      'Last',
      'What',
    ])
    expect(asked[5]).to.include('[Wrong]')
    expect(asked[6]).to.include('[Dr.]')
    expect(ran[0]?.answers).to.include({title: 'Prof.', firstName: 'Hazel'})
  })

  it('goes to the next caller at every question by its key, and does nothing', async () => {
    for (const keys of [['n', 'Dr.', '/'], ['e', '/'], ['e', 'new@example.com', '/'], ['/'], ['x', '/']]) {
      const {asked, ran} = await courseOf(['x', ...keys], {policy: plain})
      expect([asked.at(-1), ran], keys.join(' ')).to.deep.equal([search, []])
    }
    const {asked, ran} = await courseOf(['x', 'r', '/'], {policy: asks})
    expect([asked.at(-1), ran]).to.deep.equal([search, []])
  })

  it('goes back from the confirmation to the last question, and from the first question to the card', async () => {
    const {asked, ran} = await courseOf(['x', 'e', 'new@exmaple.com', '<', 'new@example.com', enter])
    expect(asked.slice(2, 6)).to.deep.equal([
      'New email address: [hazel@example.com]',
      'Change the email: Hazel Brandvold <hazel@example.com> → new@exmaple.com? < goes back.',
      'New email address: [new@exmaple.com]',
      'Change the email: Hazel Brandvold <hazel@example.com> → new@example.com? < goes back.',
    ])
    expect(ran[0]?.answers).to.deep.equal({email: 'new@example.com'})
    const left = await courseOf(['x', 'n', '<', 'p', '<', ctrlC], {policy: plain})
    expect(left.asked.slice(3)).to.deep.equal([card, left.asked[4], card, search])
    expect(left.ran).to.deep.equal([])
  })

  it('goes back from the reason to the ticket, and from a list that a refused value kept', async () => {
    const noted = await courseOf(['x', 'r', 'CS-1', '<', 'CS-2', 'lost it'], {policy: asks})
    expect(noted.asked.slice(2, 6).map((question) => question.split(' ')[0])).to.deep.equal([
      'Ticket',
      'Reason',
      'Ticket',
      'Reason',
    ])
    expect(noted.ran[0]?.call).to.deep.equal({ticket: 'CS-2', reason: 'lost it'})
    const refused = await courseOf(['x', 'f', '4', 'Acme', '<', '5'], {ends: [report('Usage', 2)]})
    expect(refused.asked.slice(2)).to.deep.equal([
      'Which field?',
      'Its value (- for none): []',
      'Its value (- for none): [Acme]',
      'Which field?',
      'Its value (- for none): []',
    ])
  })
})
