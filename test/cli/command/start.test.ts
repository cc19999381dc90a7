import {expect} from 'chai'
import {topics} from '../../../src/cli/command/help-topics.js'
import {exitCodes} from '../../../src/cli/process/exit-codes.js'
import {config, Desk} from '../run.js'

describe('cli · start', () => {
  const desk = new Desk()
  after(() => desk.remove())

  it('lists the built-in profile on a fresh machine', async () => {
    const {code, stdout} = await desk.run(['profiles', 'list'])
    expect(code).to.equal(0)
    expect(stdout)
      .to.match(/^name\s+current/)
      .and.include('local')
  })

  it('says where to start, and groups every command by its task', async () => {
    const {stdout} = await desk.run([])
    expect(stdout).to.match(/^START HERE\n {2}A customer is on the phone\? +frontdesk desk\n/m)
    const shown = stdout.slice(stdout.indexOf('SERVE CUSTOMERS'), stdout.indexOf('HELP TOPICS'))
    const names = [...shown.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name]) => name)
    const {commands} = await config()
    expect([...names].sort()).to.deep.equal([...new Set(commands.map(({id}) => id.split(':')[0] ?? ''))].sort())
  })

  it('names the nearest command and runs none', async () => {
    const {code, stdout, stderr} = await desk.run(['profiles', 'lst'])
    expect({code, stdout}).to.deep.equal({code: 2, stdout: ''})
    expect(stderr).to.include("There is no command 'profiles lst'.").and.include('`frontdesk profiles list`')
    const [undo, logout] = [await desk.run(['customers', 'undo']), await desk.run(['customers', 'logout'])]
    expect(undo.stderr).to.include('`frontdesk undo`')
    expect(logout.stderr).to.not.include('frontdesk logout')
    expect((await desk.run(['profils'])).code).to.equal(2)
    expect((await desk.run(['profiles', 'lst', '--help'])).code).to.equal(2)
  })

  it('names an unknown flag without its value, and the nearest known one', async () => {
    const {code, stderr} = await desk.run(['profiles', 'list', '--fieldz=hunter2'])
    expect(code).to.equal(2)
    expect(stderr).to.include('Unknown flag --fieldz.').and.include('--fields').and.not.include('hunter2')
  })

  it('refuses secrets as flag values, explains, and never prints them', async () => {
    for (const argv of [
      ['--password', 'hunter2'],
      ['--password=hunter2'],
      ['--client-secret', 'hunter2'],
      ['--token=hunter2', '--json'],
    ]) {
      const {code, stdout, stderr} = await desk.run(['profiles', 'list', ...argv])
      expect(code, argv[0]).to.equal(2)
      expect(stdout + stderr, argv[0])
        .to.include('never a flag value')
        .and.not.include('hunter2')
    }
  })

  it('says in one sentence which argument is missing or too much', async () => {
    expect((await desk.run(['profiles', 'use'])).stderr).to.match(/^Error: NAME is missing\.\n/)
    expect((await desk.run(['profiles', 'use', 'a', 'b', 'c'])).stderr).to.match(
      /^Error: There are 2 arguments too many: 'b', 'c'; `profiles use` takes NAME\.\n/,
    )
    expect((await desk.run(['customers', 'query', 'hazel'])).stderr).to.match(
      /^Error: There is 1 argument too many: 'hazel'; `customers query` takes no argument\.\n.*frontdesk customers find/,
    )
    const {stderr} = await desk.run(['customers', 'create', '--password-stdin', 'geheim'], {stdin: 'x'})
    expect(stderr)
      .to.match(/^Error: There is 1 argument too many; /)
      .and.not.include('geheim')
  })

  it('ends with the same code and exactly one JSON document under --json', async () => {
    for (const argv of [
      ['profiles', 'use', 'nobody'],
      ['profiles', 'lst'],
      ['profiles', 'use'],
    ]) {
      const text = await desk.run(argv)
      const json = await desk.run([...argv, '--json'])
      expect(json.code, argv.join(' ')).to.equal(text.code)
      expect(json.json).to.have.nested.property('error.exitCode', text.code)
      expect(json.json).to.have.nested.property('error.hints').that.is.an('array')
      expect(json.stderr).to.equal('')
      expect(text.stdout).to.equal('')
      expect(text.stderr.trimEnd().split('\n')).to.have.length(3)
    }
  })

  it('shows help for commands, groups and topics on stdout', async () => {
    for (const argv of [
      ['profiles', 'use', '--help'],
      ['help', 'profiles', 'use'],
      ['profiles'],
      ['profiles', '-h'],
      [],
      ['help'],
    ]) {
      const {code, stdout, stderr} = await desk.run(argv)
      expect({code, stderr}, argv.join(' ')).to.deep.equal({code: 0, stderr: ''})
      expect(stdout, argv.join(' ')).to.include('USAGE')
    }
    for (const [name, {text}] of topics) expect((await desk.run(['help', name])).stdout, name).to.equal(`${text()}\n`)
    expect((await desk.run(['help', 'nonsense'])).code).to.equal(2)
  })

  it('explains every exit code', async () => {
    const {stdout} = await desk.run(['help', 'exit-codes'])
    for (const {code, when} of Object.values(exitCodes))
      expect(stdout).to.match(new RegExp(`^  ${code} +${when.slice(0, 12).replace(/[()]/g, '.')}`, 'm'))
  })
})
