import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {Desk, root} from '../run.js'
import {ctrlC, enter, esc, Telephone} from './telephone.js'

/** Calls at the desk over the embedded state, on a terminal that is redrawn. */
describe('cli · desk', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  const menu = 'What next?'
  const yes = 'y or enter · n or esc'
  before(() => desk.run(['server', 'seed', join(root, 'fixtures/demo'), ...target]))
  after(() => desk.remove())

  const customer = async (ref: string) =>
    (await desk.run(['customers', 'get', ref, ...target, '--json'])).json as {version: number; firstName: string}
  const audited = () => readAudit(join(desk.folder, 'data', '_audit')).lines

  /** Opens a customer by what a person types. */
  async function calling(typed: string, argv: readonly string[] = [], options = {}): Promise<Telephone> {
    const call = new Telephone(desk, [...target, ...argv], options)
    await call.answers('Who is calling?', typed)
    await call.answers('hazel.brandvold@example.com', enter)
    return call
  }

  it('finds as one types, shows the card, acts with one key, prints the command at ? and ends', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-1731', '--reason', 'forgot it'])
    await call.answers(menu, 'r')
    expect(await call.sees('[?] all keys'))
      .to.match(/token\S*\s+\S*[A-Za-z0-9_-]{40}/)
      .and.not.match(/frontdesk customers|version|externalId|\(global\)/)
    await call.answers(menu, '?')
    const command = await call.sees(menu)
    expect(command).to.include('[x] erase').and.include('externalId crm-000481').and.include('version 14')
    expect(command.replace(/\s+/g, ' ')).to.include(
      "key=hazel-brandvold --ticket CS-1731 --reason 'forgot it' --project-key demo",
    )
    call.types('.')
    expect(await call.ended).to.deep.equal({code: 0, stdout: 'customers served: 1, actions: 1\n'})
    const [intent, result] = audited().slice(-2)
    expect(intent).to.include({command: 'customers reset-password', ticket: 'CS-1731', phase: 'intent'})
    expect(result).to.include({phase: 'result', result: 'done'})
  })

  it('resets a password with fewer than 15 keys after the name, ticket included', async () => {
    const call = await calling('hazel')
    await call.answers(menu, 'r')
    await call.answers('Ticket', `CS-1731${enter}`)
    await call.answers('Reason', enter)
    await call.sees('[?] all keys')
    expect(call.keys - 'hazel'.length).to.equal(11)
    await call.answers(menu, '.')
    await call.ended
  })

  it('asks for the ticket once a call, and keeps the version from act to act', async () => {
    const {version} = await customer('key=hazel-brandvold')
    const call = await calling('hazel')
    await call.answers(menu, 'f')
    await call.answers('Ticket', `CS-1${enter}`)
    await call.answers('Reason', `by phone${enter}`)
    await call.answers('Which field?', '4')
    await call.answers('Its value', `Acme${enter}`)
    await call.sees(`version ${version} →`)
    await call.answers(menu, 'f')
    await call.answers('Which field?', '4')
    await call.answers('Its value', `Acme Two${enter}`)
    await call.sees(`version ${version + 1} →`)
    await call.answers(menu, '.')
    await call.ended
    expect(audited().at(-1)).to.include({ticket: 'CS-1', reason: 'by phone', result: 'done'})
  })

  it('shows what somebody else changed meanwhile, and asks before it goes on', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-2', '--reason', 'x'])
    await call.sees(menu)
    const other = await desk.run(['customers', 'update', 'key=hazel-brandvold', '--set', 'title=Prof.', ...target])
    expect(other.code, other.stderr).to.equal(0)
    call.types('f')
    await call.answers('Which field?', '4')
    await call.answers('Its value', `Acme Three${enter}`)
    await call.sees('title: "Dr." → "Prof."')
    await call.sees('Go on all the same?')
    await call.answers(yes, enter)
    await call.sees('"Acme Three"')
    await call.answers(menu, '.')
    await call.ended
  })

  it('asks a refused value again with what was typed, and survives every wrong key', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-2', '--reason', 'x'])
    await call.answers(menu, 'z')
    await call.sees("No action has the key 'z'")
    await call.answers(menu, 'e')
    await call.answers('New email address:', `owen.pell@quayside.example${enter}`)
    await call.answers(yes, enter)
    await call.sees('Error: ')
    await call.sees('It is the email of Owen Pell')
    await call.answers(yes, esc)
    await call.answers('New email address:', enter)
    await call.answers(yes, enter)
    await call.sees('It is the email of Owen Pell')
    await call.answers(yes, enter)
    await call.sees('Owen Pell  owen.pell@quayside.example')
    await call.answers(menu, '.')
    expect((await call.ended).code).to.equal(0)
    expect((await customer('key=hazel-brandvold')).version).to.be.greaterThan(1)
  })

  it('takes Escape with a letter at once for no, and the letter at the menu, and says group and address in words', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-9', '--reason', 'x'])
    await call.answers(menu, `${esc}p`)
    await call.sees('Set a new password for')
    await call.answers(yes, `${esc}${enter}`)
    await call.sees('Nothing was done.')
    await call.answers(menu, '.')
    await call.ended
    const added = ['--add-address', '{"streetName":"Kai","city":"Kiel","country":"DE"}', '--remove-group', 'vip']
    const {stdout} = await desk.run(['customers', 'update', 'key=hazel-brandvold', ...added, ...target])
    expect(stdout).to.match(/addresses \d+: \(absent\) → "[^"]*Kai[^"]*Kiel[^"]*"/)
    expect(stdout).to.match(/group.*"VIP"/)
  })

  it('ends with two Ctrl-C, and at the end of the input, from wherever', async () => {
    const twice = await calling('hazel')
    await twice.answers(menu, ctrlC)
    await twice.answers('Who is calling?', ctrlC)
    expect((await twice.ended).code).to.equal(0)
    const hungUp = await calling('hazel')
    await hungUp.sees(menu)
    hungUp.hangUp()
    expect((await hungUp.ended).code).to.equal(0)
  })

  it('takes the last change back', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-5', '--reason', 'x'])
    await call.answers(menu, 'f')
    await call.answers('Which field?', '4')
    await call.answers('Its value', `Wrong${enter}`)
    await call.sees('"Wrong"')
    await call.answers(menu, 'u')
    await call.sees('"Wrong" →')
    await call.answers(menu, 'u')
    await call.sees('The last act was an undo')
    await call.answers(yes, esc)
    await call.answers(menu, 'u')
    await call.sees('The last act was an undo')
    await call.answers(yes, ctrlC)
    await call.answers(menu, 'h')
    await call.sees('(undo)')
    await call.answers(menu, 'u')
    await call.answers(yes, enter)
    await call.sees('brought back')
    await call.answers(menu, 'h')
    await call.sees('(undo of an undo)')
    await call.answers(menu, '.')
    expect((await call.ended).code).to.equal(0)
  })

  it('names the business units of an employee, and speaks no language of the command line', async () => {
    const call = new Telephone(desk, [...target, '--ticket', 'CS-6', '--reason', 'x'])
    await call.answers('Who is calling?', 'petra')
    await call.answers('petra.vance@harrow-mill.example', enter)
    await call.sees('employee of Harrow Mill GmbH')
    await call.answers(menu, 'u')
    const trouble = await call.sees('[r] reset link')
    expect(trouble)
      .to.include('Error: This machine keeps no change')
      .and.not.match(/--|frontdesk|exit \d/)
    await call.answers(menu, 'q')
    await call.sees('Answer a quote by its number')
    await call.answers(menu, '.')
    await call.ended
    const card = await desk.run(['customers', 'card', 'key=petra-vance', ...target, '--json'])
    expect(card.json).to.have.property('businessUnits').that.includes('Quayside Café Ltd')
  })

  it('erases after ERASE is typed, and goes to the next customer', async () => {
    const made = await desk.run(['customers', 'create', '--email', 'gone@example.com', '--external-auth', ...target])
    expect(made.code, made.stderr).to.equal(0)
    const call = new Telephone(desk, [...target, '--ticket', 'CS-3', '--reason', 'asked for it'])
    await call.answers('Who is calling?', 'gone@example.com')
    await call.answers('gone@example.com  ', enter)
    await call.answers(menu, 'q')
    await call.sees('This customer has no quotes.')
    await call.answers(menu, 'x')
    await call.answers('Type ERASE:', `erase${enter}`)
    await call.sees('capitals')
    await call.answers('Type ERASE:', `ERASE${enter}`)
    const receipt = join(desk.folder, 'receipt.json')
    await call.answers('File for the receipt', `${receipt}${enter}`)
    await call.sees('erased ')
    await call.answers('Who is calling?', '.')
    await call.answers('end the session', enter)
    expect((await call.ended).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'email=gone@example.com', ...target])).code).to.equal(3)
    expect(readFileSync(receipt, 'utf8')).to.include('CS-3').and.not.include('gone@example.com')
  })

  it('sets a generated password, which the customer can sign in with', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-4', '--reason', 'x'])
    await call.answers(menu, 'p')
    await call.sees('Set a new password for ')
    await call.answers(yes, enter)
    await call.sees('password, shown only once: ')
    const password = (await call.sees('\n')).trim()
    expect((await call.sees('[?] all keys')).toString()).to.include('password set for')
    expect(await call.sees(menu)).to.not.include(password)
    call.types('.')
    await call.ended
    const signIn = [
      'customers',
      'sign-in',
      'hazel.brandvold@example.com',
      '--check-only',
      '--password-stdin',
      ...target,
    ]
    expect((await desk.run(signIn, {stdin: password})).code).to.equal(0)
  })

  it('shows the quotes as the customer sees them, and then goes on as before', async () => {
    const call = await calling('hazel', ['--ticket', 'CS-4', '--reason', 'x'])
    await call.answers(menu, 'q')
    await call.sees('hazel-open')
    await call.answers(menu, '1')
    await call.sees('total ')
    await call.answers('What about it?', ctrlC)
    await call.answers(menu, 'r')
    await call.sees('[?]')
    await call.answers(menu, 'w')
    await call.answers(yes, enter)
    expect(await call.sees(' has ended.')).to.match(/Every reset link of (?!.*[\w-]{40})/s)
    await call.answers(menu, '.')
    expect((await call.ended).code).to.equal(0)
  })

  it('is for people: without a terminal it ends with 12 and names the commands', async () => {
    for (const argv of [['desk'], ['desk', '--no-input'], ['desk', 'hazel', '--json']]) {
      const {code, stdout, stderr} = await desk.run([...argv, ...target], {terminal: argv.includes('--no-input')})
      expect(code).to.equal(12)
      expect(stdout + stderr).to.include('frontdesk customers reset-password REF')
    }
  })
})
