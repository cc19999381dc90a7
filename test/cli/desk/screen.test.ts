import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import stringWidth from 'string-width'
import {Desk, root} from '../run.js'
import {Screen} from './screen.js'
import {enter, Telephone} from './telephone.js'

/** What a person sees, on terminals of every width, and with data that a terminal would obey. */
describe('cli · desk, the screen', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  const menu = 'What next?'
  const odd = 'Zoë \u001b[2J\u202e Ωmega'
  before(async () => {
    const {code, stderr} = await desk.run(['server', 'seed', join(root, 'fixtures/demo'), ...target])
    expect(code, stderr).to.equal(0)
    const names = [
      '--set',
      `firstName=${odd}`,
      '--set',
      'companyName=Straße & Söhne, 東京支店, für Wasser- und Windkraft',
    ]
    const changed = await desk.run(['customers', 'update', 'key=hazel-brandvold', ...names, ...target])
    expect(changed.code, changed.stderr).to.equal(0)
  })
  after(() => desk.remove())

  for (const columns of [60, 80, 120]) {
    it(`fits ${columns} columns, whatever the data are`, async () => {
      const noted = ['--ticket', 'CS-1', '--reason', 'x']
      const call = new Telephone(desk, [...target, ...noted], {columns})
      await call.answers('Who is calling?', 'brandv')
      await call.answers('❯', enter)
      await call.answers(menu, 'r')
      await call.sees('[?] all keys')
      await call.answers(menu, 'h')
      await call.sees('[?] all keys')
      await call.answers(menu, '.')
      await call.ended
      expect(call.text).to.not.include('\u202e')
      // The two that prompts and we ourselves write: a cleared screen has no place in what commands print.
      const [shown = ''] = call.text.split('\u001B[H\u001B[2J\u001B[3J')
      expect(shown).to.include('\\x1b[2J')
      const lines = new Screen(1000).written(shown).lines.filter((line) => !line.startsWith('the command: '))
      expect(lines.filter((line) => stringWidth(line) > columns)).to.deep.equal([])
    })
  }

  it('masks people with --redact, in the list, the card, the questions and the results', async () => {
    const call = new Telephone(desk, [...target, '--redact', '--ticket', 'CS-1', '--reason', 'x'], {
      env: {TERM: 'dumb'},
    })
    await call.answers('Who is calling?', `pell${enter}`)
    await call.answers(menu, `n${enter}`)
    await call.answers('Title', enter)
    await call.answers('First name', enter)
    await call.answers('Last name (- for none): [', enter)
    await call.sees('Nothing was changed.')
    await call.answers(menu, `x${enter}`)
    await call.answers('Type ERASE:', `no${enter}`)
    await call.answers('Type ERASE:', `ERASE${enter}`)
    await call.answers('File for the receipt', `-${enter}`)
    await call.answers('Who is calling?', `q${enter}`)
    expect((await call.ended).code).to.equal(0)
    expect(call.text).to.not.match(/pell|quayside/i)
  })

  it('shows plans only with --dry-run', async () => {
    const call = new Telephone(desk, [...target, '--dry-run', '--ticket', 'CS-1', '--reason', 'x', 'brandvold'], {
      env: {TERM: 'dumb'},
    })
    await call.answers(menu, `r${enter}`)
    await call.sees('would create a reset token')
    await call.answers(menu, `x${enter}`)
    await call.answers('Type ERASE:', `ERASE${enter}`)
    await call.answers('File for the receipt', `-${enter}`)
    await call.sees('would erase')
    await call.answers(menu, `.${enter}`)
    await call.ended
    expect((await desk.run(['customers', 'exists', 'key=hazel-brandvold', ...target])).code).to.equal(0)
  })

  it('has a recorded call in the docs that players can read, with nothing of the machine that made it', () => {
    const [head, ...events] = readFileSync(join(root, 'docs/call.cast'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(head).to.include({version: 2, width: 80})
    const shown = events as [number, string, string][]
    const times = shown.map(([seconds]) => seconds)
    expect(times).to.deep.equal([...times].sort((a, b) => a - b))
    const text = shown.map(([, kind, output]) => (kind === 'o' ? output : '')).join('')
    expect(text).to.include('Who is calling?').and.include('frontdesk customers reset-password key=hazel-brandvold')
    expect(text).to.not.match(/\/(?:tmp|root|home|Users)\//)
  })
})
