import {expect} from 'chai'
import {asks, courseOf, ctrlC, enter, esc, openedWith, plain, report} from './scripted-call.js'

describe('cli · desk · conversation', () => {
  const card = 'What next?'
  const search = 'Who is calling? []'

  it('goes from the search to the card, and to the next customer or the end', async () => {
    expect((await courseOf(['x', '/', 'y', '.'])).asked).to.deep.equal([search, card, search, card])
    expect((await courseOf([])).asked).to.deep.equal([search])
  })

  it('keeps what was typed when a customer cannot be opened', async () => {
    for (const answer of [undefined, report('Unreachable', 7)]) {
      const {asked, shown} = await courseOf(['x'], {opens: [answer]})
      expect(asked).to.deep.equal([search, 'Who is calling? [haz]'])
      expect(shown).to.have.length(1)
    }
  })

  it('takes one key for an act without questions, and reads the card again afterwards', async () => {
    const {ran, kinds} = await courseOf(['x', 'r'], {opens: [openedWith(), openedWith({version: 4})]})
    expect(ran).to.have.length(1)
    expect(kinds).to.deep.equal(['card', 'head', 'result', 'clear'])
  })

  it('asks for ticket and reason once a call, and hands them to every act of it', async () => {
    const {asked, ran} = await courseOf(['x', 'r', 'CS-1', '', 'r', '/', 'x', 'r'], {policy: asks})
    expect(ran.map(({call}) => call)).to.deep.equal([{ticket: 'CS-1'}, {ticket: 'CS-1'}])
    const notes = ['Ticket (Enter for none): []', 'Reason (Enter for none): []']
    expect(asked).to.deep.equal([search, card, ...notes, card, card, search, card, notes[0]])
  })

  it('runs nothing where the answers change nothing', async () => {
    const {ran, shown} = await courseOf(['x', 'n', enter, enter, enter])
    expect(ran).to.deep.equal([])
    expect(shown.at(-1)).to.have.property('text', 'Nothing was changed.')
  })

  it('leaves a field empty with a dash, whether something was offered or not, and takes what is offered with Enter', async () => {
    const typed = ['x', 'a', 'n', '-', ...Array<string>(4).fill(enter), 'DE', ...Array<string>(4).fill('-')]
    const [added] = (await courseOf(typed)).ran
    expect(added?.words).to.include('{"country":"DE"}')
    const [renamed] = (await courseOf(['x', 'n', enter, '-', enter])).ran
    expect(renamed?.words).to.include.members(['--unset', 'firstName']).and.not.include('lastName')
  })

  it('asks nothing before an act that only reads', async () => {
    expect((await courseOf(['x', 'h'], {policy: asks})).ran).to.have.length(1)
  })

  it('shows the card again with Enter', async () => {
    expect((await courseOf(['x', 'n', 'Dr.', enter, enter, ''])).kinds).to.deep.equal([
      'card',
      'head',
      'result',
      'card',
    ])
  })

  it('makes what is told of a dry run, and notes nothing for it', async () => {
    const policy = {...asks, protectedProfile: 'prod', isDryRun: true}
    expect((await courseOf(['x', 'r'], {policy})).asked).to.have.length(3)
  })

  it('asks for the name of a protected profile until it is right, once a session and before each removal', async () => {
    const policy = {...plain, protectedProfile: 'prod'}
    const typed = ['x', 'r', 'staging', 'prod', 'r', '/', 'x', 'r', 'x', 'prod', 'ERASE', '-']
    const {asked, ran} = await courseOf(typed, {policy})
    expect(ran.map(({call}) => call.profile)).to.deep.equal(Array(4).fill('prod'))
    expect(asked.filter((question) => question.startsWith('Name of'))).to.deep.equal(
      Array(3).fill('Name of the profile: []'),
    )
  })

  it('asks for a reason that the profile requires until there is one', async () => {
    const policy = {...plain, requiresReason: true, hasReason: false}
    const {ran} = await courseOf(['x', 'r', ' ', 'by phone'], {policy})
    expect(ran[0]?.call).to.deep.equal({reason: 'by phone'})
  })

  it('notes another ticket whenever it is asked to', async () => {
    const {ran} = await courseOf(['x', 't', 'CS-2', 'why', 't', '-', enter, 'r'])
    expect(ran[0]?.call).to.deep.equal({reason: 'why'})
  })

  it('says so for a key without an act, and for an act that makes no sense, and goes on', async () => {
    for (const key of ['z', '!', 'ß']) expect((await courseOf(['x', key])).kinds).to.deep.equal(['card', 'note'])
    const {shown, ran} = await courseOf(['x', 'v'], {opens: [openedWith({isEmailVerified: true})]})
    expect(shown.at(-1)).to.have.property('text').that.includes('verified already')
    expect(ran).to.deep.equal([])
  })

  describe('what cannot be taken back', () => {
    it('asks with the name of the person, and does nothing without Enter', async () => {
      for (const key of ['p', 'v', 'o']) {
        const {asked, ran} = await courseOf(['x', key, esc])
        expect(asked[2]).to.include('Hazel Brandvold <hazel@example.com>')
        expect(ran, key).to.deep.equal([])
        expect((await courseOf(['x', key, enter])).ran, key).to.have.length(1)
      }
    })

    it('asks before a way in goes to an email that was changed lately', async () => {
      const opens = [{...openedWith(), emailWarning: 'The email was changed 12 min ago: is this the customer?'}]
      for (const key of ['r', 'p', 'l']) {
        const {asked, ran} = await courseOf(['x', key, esc], {opens})
        expect(asked[2]).to.include('The email was changed 12 min ago')
        expect(ran, key).to.deep.equal([])
      }
    })

    it('confirms a changed email as old and new', async () => {
      const {asked, ran} = await courseOf(['x', 'e', 'new@example.com', esc])
      expect(asked[2]).to.equal('New email address: [hazel@example.com]')
      expect(asked[3]).to.include('hazel@example.com').and.include('→ new@example.com')
      expect(ran).to.deep.equal([])
    })

    it('takes several keys at the card for a name, and looks for it once that is confirmed', async () => {
      const looked = await courseOf(['x', 'petra', enter])
      expect(looked.asked.slice(2)).to.deep.equal(['Look for "petra"?', 'Who is calling? [petra]'])
      expect(looked.ran).to.deep.equal([])
      expect((await courseOf(['x', 'petra', esc, 'r'])).ran).to.have.length(1)
    })

    it('takes text at a confirmation for the rest of a name, however slowly it comes', async () => {
      const {asked, ran} = await courseOf(['x', 'p', 'e', 't', 'ra', enter])
      expect(asked.slice(3)).to.deep.equal([
        'Look for "pe"?',
        'Look for "pet"?',
        'Look for "petra"?',
        'Who is calling? [petra]',
      ])
      expect(ran).to.deep.equal([])
    })
  })

  describe('answers of one act and one person', () => {
    it('offers what the customer has, refuses what is no answer, and offers what was typed again', async () => {
      const {asked, ran} = await courseOf(['x', 'e', 'hazel at home', 'new@example.com', enter])
      expect(asked[3]).to.equal('New email address: [hazel at home]')
      expect(ran[0]?.words).to.include.members(['--set', 'email=new@example.com', '--version', '3'])
    })

    it('offers nothing of an act that was left, done or chosen before', async () => {
      const left = await courseOf(['x', 'n', 'Dr.', ctrlC, 'n'])
      expect(left.asked.at(-1)).to.equal('Title (- for none): []')
      const done = await courseOf(['x', 'f', '4', 'Acme', 'f', '4'])
      expect(done.asked.at(-1)).to.equal('Its value (- for none): []')
    })

    it('opens a new address empty after another one was refused', async () => {
      const address = {id: 'one', country: 'JP', city: 'Tokyo', streetName: '丸の内'}
      const typed = ['x', 'a', '1', 'c', 'Other', enter, enter, enter, enter, enter, ctrlC, 'a', 'n']
      const opened = openedWith({addresses: [address]})
      const {asked} = await courseOf(typed, {opens: [opened], ends: [report('Usage', 2)]})
      expect(asked.at(-1)).to.match(/^Street.*\[\]$/)
    })

    it('never offers a word that confirms', async () => {
      const {asked} = await courseOf(['x', 'x', 'erase', 'ERASE', enter], {ends: [report('Usage', 2)]})
      expect(asked.filter((question) => question.startsWith('Type ERASE'))).to.deep.equal(
        Array(3).fill('Type ERASE: []'),
      )
    })
  })

  it('puts a value of the history back by its number, once that is confirmed and as long as nothing has changed', async () => {
    const offers = [{key: '1', label: 'email old@example.com', value: 'email=old@example.com'}]
    const {asked, ran} = await courseOf(['x', '1', 'h', '1', enter, '1'], {offers})
    expect(asked[4]).to.include('hazel@example.com → old@example.com?')
    expect(ran.map(({key}) => key)).to.deep.equal(['h', '1'])
    expect(ran[1]?.words).to.include.members(['--set', 'email=old@example.com', '--version', '3'])
  })

  it('offers groups from a list, and takes a key where there is none', async () => {
    const offers = [{key: '1', label: 'take out of VIP (vip)', value: '-vip'}]
    const listed = await courseOf(['x', 'g', '1'], {offers})
    expect(listed.ran[0]?.words).to.include.members(['--remove-group', 'vip'])
    expect((await courseOf(['x', 'g', 'vip'])).ran[0]?.words).to.include.members(['--add-group', 'vip'])
  })

  it('clears the screen of what was shown once as soon as the customer is left, and at the end', async () => {
    const shown = ['card', 'head', 'result', 'clear']
    expect((await courseOf(['x', 'r', '/'])).kinds).to.deep.equal(shown)
    expect((await courseOf(['x', 'r', '.'])).kinds).to.deep.equal(shown)
    expect((await courseOf(['x', 'r', ctrlC])).kinds).to.deep.equal([...shown, 'note'])
    expect((await courseOf(['x', 'r', 'petra', enter])).kinds).to.deep.equal(shown)
    expect((await courseOf(['x', '/', 'x', '/'])).kinds).to.deep.equal(['card', 'card'])
  })

  it('stays at the desk, whatever comes in whatever order, until two steps back or the end', async () => {
    let seed = 7
    const pick = <T>(list: readonly T[]): T => {
      seed = (seed * 48271) % 2147483647
      return list[seed % list.length] as T
    }
    const keys = [
      'r',
      'e',
      'n',
      'a',
      '1',
      'y',
      'ERASE',
      'x',
      't',
      '',
      'é',
      '\u0000',
      'petra',
      enter,
      esc,
      'a@b.c',
      'k=v',
    ]
    const typed = Array.from({length: 3000}, () => pick(keys))
    const outcome = () => pick([undefined, report('Unreachable', 7), openedWith({version: 5}), openedWith()])
    const opens = Array.from({length: 2000}, outcome)
    const ends = Array.from({length: 800}, () => report('Any', pick([2, 3, 4, 5, 7, 8])))
    for (const policy of [plain, asks]) {
      expect((await courseOf(typed, {policy, opens, ends})).asked).to.have.length(typed.length + 1)
    }
  })
})
