import {expect} from 'chai'
import {Screen} from '../cli/desk/screen.js'
import {openSandbox, type Sandbox} from './binary.js'
import {hasPty, Pty} from './pty.js'

/** A call at the desk of the built command, in a pseudo-terminal. */
describe('e2e · desk', () => {
  const enter = '\r'
  const ctrlC = '\u0003'
  const menu = 'What next?'
  let sandbox: Sandbox
  let target: string[]
  before(async function () {
    if (!hasPty()) this.skip()
    sandbox = openSandbox()
    target = ['--project-key', 'demo', '--data', sandbox.data]
    const seeded = await sandbox.frontdesk(['server', 'seed', `${process.cwd()}/fixtures/demo`, ...target])
    expect(seeded.code, seeded.stderr).to.equal(0)
  })
  after(() => sandbox?.remove())

  const at = (words: readonly string[], options: {columns?: number; env?: NodeJS.ProcessEnv} = {}): Pty =>
    new Pty(['desk', ...words, ...target], {home: sandbox.home, ...options})

  it('finds, acts, takes back and erases within 80 columns', async () => {
    const desk = at(['--ticket', 'CS-1', '--reason', 'x'])
    await desk.answers('Who is calling?', 'pell')
    await desk.answers('❯ Owen Pell', enter)
    await desk.answers(menu, 'r')
    await desk.answers('[?] all keys')
    await desk.answers(menu, 'f')
    await desk.answers('Which field?', '4')
    await desk.answers('Its value', `Wrong${enter}`)
    await desk.answers('"Wrong"')
    await desk.answers(menu, 'u')
    await desk.answers('"Wrong" →')
    await desk.answers(menu, 'x')
    await desk.answers('Type ERASE:', `ERASE${enter}`)
    await desk.answers('File for the receipt', enter)
    await desk.answers('erased ')
    await desk.answers('Who is calling?', '.')
    await desk.answers('end the session', enter)
    expect(await desk.ended).to.equal(0)
    const lines = new Screen(1000).written(desk.text).lines.filter((line) => !line.startsWith('the command: '))
    expect(lines.filter((line) => line.length > 80)).to.deep.equal([])
    const gone = await sandbox.frontdesk(['customers', 'find', 'pell', ...target])
    expect(gone.code).to.equal(3)
  })

  it('goes back a step with Ctrl-C and ends with two, on a dumb terminal as well', async () => {
    const desk = at(['brandvold'], {env: {TERM: 'dumb'}})
    await desk.answers(menu, `e${enter}`)
    await desk.answers('Ticket', ctrlC)
    await desk.answers('Ctrl-C again ends the session.')
    await desk.answers(menu, `z${enter}`)
    await desk.answers(menu, ctrlC)
    await desk.answers('Who is calling?', ctrlC)
    expect(await desk.ended).to.equal(0)
    expect(desk.text).to.not.include('\u001B')
  })

  it('takes what was shown once off the screen at every end, and gives the window its title back', async () => {
    for (const [leave, code] of [
      [(desk: Pty) => desk.signal('SIGTERM'), 143],
      [(desk: Pty) => desk.signal('SIGHUP'), 129],
      [(desk: Pty) => desk.types('/'), 0],
    ] as const) {
      const desk = at(['brandvold', '--ticket', 'CS-1', '--reason', 'x'])
      await desk.answers('❯ Dr. Hazel', enter)
      await desk.answers(menu, 'r')
      const shown = await desk.answers('[?] all keys')
      expect(desk.text).to.include('\u001B]2;local (demo) - frontdesk desk\u0007')
      await desk.answers(menu)
      leave(desk)
      if (code === 0) {
        await desk.answers('\u001B[2J\u001B[3J')
        await desk.answers('Who is calling?', '.')
        await desk.answers('end the session', enter)
      }
      expect(await desk.ended).to.equal(code)
      const token = /[\w-]{40}/.exec(shown)?.[0] ?? 'no token'
      expect(desk.text.lastIndexOf('\u001B[H\u001B[2J\u001B[3J')).to.be.greaterThan(desk.text.lastIndexOf(token))
      expect(desk.text).to.include('\u001B[23;2t')
    }
  })

  it('shows no colour where none is wanted', async () => {
    const desk = at([], {env: {NO_COLOR: '1'}})
    await desk.answers('Who is calling?', 'brandvold')
    await desk.answers('❯ Dr. Hazel', enter)
    await desk.answers(menu, '.')
    expect(await desk.ended).to.equal(0)
    expect(desk.text).to.not.match(/\u001B\[[\d;]*m/)
  })
})
