import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {withHidden} from '../../../src/cli/desk/caller-check.js'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {callerFieldsIn} from '../../../src/cli/target/caller-fields.js'
import {Desk, root} from '../run.js'
import {ctrlC as back, courseOf, openedWith, plain} from './scripted-call.js'
import {enter, Telephone} from './telephone.js'

/** What a profile has a caller asked, before the desk shows it and acts. */
describe('cli · desk · caller check', () => {
  const desk = new Desk()
  const menu = 'What next?'
  const secrets = /1984|10997|20457|D-1001/
  before(async () => {
    const {code, stderr} = await desk.run(['server', 'seed', join(root, 'fixtures/demo'), '--project-key', 'demo'])
    expect(code, stderr).to.equal(0)
    const asked = ['--ask-caller', 'dateOfBirth, postalCode customerNumber']
    const login = await desk.run(['login', 'support', '--local', '--project-key', 'demo', ...asked, '--json'])
    expect(login.json).to.include({askCaller: 'dateOfBirth postalCode customerNumber'})
  })
  after(() => desk.remove())

  for (const [form, argv, line] of [
    ['on a screen', ['-P', 'support'], ''],
    ['in plain lines, however one comes to the place', ['--project-key', 'demo', '--plain'], enter],
  ] as const) {
    it(`hides it until the caller has said it, ${form}`, async () => {
      const call = new Telephone(desk, [...argv, '--ticket', form, '--reason', 'x'], {columns: 160})
      await call.answers('Who is calling?', `hazel${line}`)
      if (line === '') await call.answers('hazel.brandvold@example.com', enter)
      const card = await call.sees(menu)
      expect(card).to.include('born (ask)').and.include('(ask) Berlin').and.include('[c] check caller')
      call.types(`n${line}`)
      await call.answers("Caller's date of birth:", `1.1.1990${enter}`)
      await call.sees('not what the account has')
      await call.answers("Caller's date of birth:", `29. Februar 1984${enter}`)
      await call.answers("Caller's postal code:", `204 57${enter}`)
      expect(call.text).to.not.match(/D-1001|10997/)
      await call.answers("Caller's customer number:", `d 1001${enter}`)
      const shown = await call.sees('Title (- for none)')
      expect(shown).to.include('10997 Berlin').and.include('D-1001').and.not.include('(ask)')
      call.types(`Prof. ${form}${enter}`)
      for (const name of ['First name', 'Last name']) await call.answers(name, enter)
      await call.sees('[?] all keys')
      await call.answers(menu, `r${line}`)
      await call.answers(menu, `.${line}`)
      expect((await call.ended).code).to.equal(0)
      const folder = join(desk.folder, 'data', '_audit')
      const noted = readAudit(folder).lines.filter(({ticket}) => ticket === form)
      expect(noted.map(({command}) => command)).to.include.members(['customers update', 'customers reset-password'])
      const [check] = noted
      const fields = ['dateOfBirth', 'postalCode', 'customerNumber']
      expect(check).to.deep.include({command: 'desk', result: 'done', checked: fields, missed: ['dateOfBirth']})
      for (const {checked} of noted) expect(checked).to.deep.equal(['dateOfBirth', 'postalCode', 'customerNumber'])
      expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8')).to.not.match(secrets)
    })
  }

  it('leaves it out of the list of those who are found', async () => {
    const call = new Telephone(desk, ['-P', 'support'], {columns: 160})
    await call.answers('Who is calling?', 'hazel')
    expect(await call.sees('hazel.brandvold@example.com')).to.not.match(secrets)
    call.hangUp()
    await call.ended
    expect(call.text).to.not.match(secrets)
    const document = {key: 'a', dateOfBirth: '1984-02-29', addresses: [{city: 'Kiel', phone: '1', mobile: '2'}]}
    const fields = callerFieldsIn('dateOfBirth phone', '--ask-caller')
    expect(withHidden(document, fields)).to.deep.equal({key: 'a', addresses: [{city: 'Kiel'}]})
  })

  const policyFor = (names: string) => ({...plain, callerFields: callerFieldsIn(names, '--ask-caller')})
  const caller = openedWith({
    dateOfBirth: '1984-04-03',
    companyName: 'Müller & Söhne',
    addresses: [
      {id: 'a', country: 'DE', phone: '+49 (0)30 5550 1170'},
      {id: 'b', country: 'DE', mobile: '0151 2345678'},
    ],
  })

  it('takes a value in the forms in which people say it', async () => {
    for (const [field, forms] of [
      [
        'dateOfBirth',
        ['3.4.1984', '03/04/84', '3 April 84', '1984-04-03', ' 3. April 1984 ', 'Apr 3 84', '1984 Apr 3'],
      ],
      ['companyName', ['mueller soehne', 'MULLER&SOHNE', 'Müller Söhne']],
      ['phone', ['030 55501170', '0049 30 5550 1170', '0151/2345678']],
    ] as const) {
      for (const said of forms) {
        const {asked} = await courseOf(['x', 'h', said], {policy: policyFor(field), opens: [caller, caller]})
        expect(asked.at(-1), said).to.equal(menu)
        expect(asked, said).to.have.length(4)
      }
    }
  })

  it('ends the call after three wrong answers, and begins again after a step back', async () => {
    const script = {policy: policyFor('dateOfBirth phone'), opens: [caller]}
    for (const wrong of [
      ['4.5.1984', '1984', '', '1.1.2000'],
      ['3.4.1984', '1170', '0170 2345678', '+49 30 5550 117'],
    ]) {
      const {asked, ran, shown, checks} = await courseOf(['x', 'r', ...wrong], script)
      const first = wrong[0] === '4.5.1984'
      const [checked, missed] = first ? [[], ['dateOfBirth']] : [['dateOfBirth'], ['phone']]
      expect(checks).to.deep.equal([{checked, missed, isPassed: false}])
      expect(ran).to.deep.equal([])
      expect(JSON.stringify(shown.filter(({kind}) => kind === 'note'))).to.not.match(/1984|5550/)
      expect(asked.at(-1)).to.equal('Who is calling? []')
    }
    const again = await courseOf(['x', 'r', '1.1.2000', back, 'r', '3.4.1984', '03055501170'], {
      ...script,
      opens: [caller, caller, caller],
    })
    expect(again.checks).to.deep.equal([
      {checked: [], missed: ['dateOfBirth'], isPassed: false},
      {checked: ['dateOfBirth', 'phone'], missed: [], isPassed: true},
    ])
    expect(again.ran.map(({call}) => call.checked)).to.deep.equal(['dateOfBirth phone'])
  })

  it('does not ask for what the account has not, and asks once a call', async () => {
    const {asked, ran, shown} = await courseOf(['x', 'h', '3.4.1984', 'r'], {
      policy: policyFor('vatId dateOfBirth'),
      opens: Array(4).fill(caller),
    })
    expect(asked.slice(2)).to.deep.equal(["Caller's date of birth: []", menu, menu])
    expect(ran.map(({call}) => call.checked)).to.deep.equal(['dateOfBirth', 'dateOfBirth'])
    expect(shown).to.deep.include({kind: 'note', text: 'The account has no VAT id to compare.'})
  })

  it('refuses fields that no caller can be asked for', async () => {
    for (const [names, says] of [
      ['dateOfbirth', 'Did you mean dateOfBirth?'],
      ['password', 'Choose of '],
      [' , ', 'names no field'],
    ] as const) {
      const words = ['login', 'other', '--local', '--project-key', 'demo', '--ask-caller', names]
      const {code, stderr} = await desk.run(words)
      expect(code).to.equal(2)
      expect(stderr).to.include(says)
    }
  })
})
