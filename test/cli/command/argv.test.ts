import {join} from 'node:path'
import {expect} from 'chai'
import {readCommandLine} from '../../../src/cli/command/argv.js'
import {config, Desk, type Ended} from '../run.js'

describe('cli · command lines', () => {
  const desk = new Desk()
  before(async () => {
    await desk.run(['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--external-auth'])
  })
  after(() => desk.remove())

  const run = (line: string): Promise<Ended> => desk.run(line.split(' '))
  const read = async (line: string) => readCommandLine(line.split(' '), await config())

  it('take global flags anywhere', async () => {
    const elsewhere = join(desk.folder, 'elsewhere')
    for (const line of [
      '--local customers get key=ada --json',
      '--json --local customers get key=ada',
      'customers --local --json get key=ada',
      'customers -P local get --json key=ada',
      '-Plocal -o json customers get key=ada',
      '-o=json -qP local customers get key=ada',
      '--output=json -vy customers get -- key=ada',
      '--trace-http customers get key=ada --json',
    ]) {
      const {code, json, stderr} = await run(line)
      expect(code, `${line}\n${stderr}`).to.equal(0)
      expect(json, line).to.include({key: 'ada'})
    }
    const {json} = await run(`--data ${elsewhere} customers query --json`)
    expect(json).to.include({count: 0})
  })

  it('read the value of a global flag as no word, whatever it is called', async () => {
    expect(await read('--profile customers quotes query')).to.deep.include({
      id: 'quotes:query',
      args: ['--profile', 'customers'],
    })
    expect(await read('--data=help customers get -')).to.deep.include({id: 'customers:get', args: ['--data=help', '-']})
    expect(await read('customers get help')).to.deep.include({id: 'customers:get', help: false, args: ['help']})
  })

  it('refuse a flag of a command before its name, and never print what follows', async () => {
    const {code, stderr} = await run('--limit 5 customers query')
    expect(code).to.equal(2)
    expect(stderr).to.include('Unknown flag --limit before the command.')
    for (const line of ['--password hunter2 customers create', '--passwort hunter2 customers create']) {
      const shown = await run(line)
      expect(shown.code).to.equal(2)
      expect(shown.stdout + shown.stderr).to.not.include('hunter2')
    }
  })

  it('know singular nouns and synonyms, and answer as the command itself', async () => {
    const {stdout} = await run('customers get key=ada --json')
    for (const line of ['customer get', 'customers show', 'customer show', 'customer --local get']) {
      expect((await run(`${line} key=ada --json`)).stdout, line).to.equal(stdout)
    }
    for (const [line, id] of [
      ['customers list', 'customers:query'],
      ['customers ls', 'customers:query'],
      ['customers search ada', 'customers:find'],
      ['customers view ada', 'customers:card'],
      ['customer edit ada', 'customers:update'],
      ['customers rm ada', 'customers:delete'],
      ['customers remove ada', 'customers:delete'],
      ['quote view x', 'quotes:get'],
      ['config ls', 'profiles:list'],
      ['profile ls', 'profiles:list'],
      ['tokens rm x', 'token:forget'],
      ['messages query', 'messages:list'],
      ['server snapshots ls', 'server:snapshot:list'],
    ] as const) {
      expect(await read(line), line).to.include({id, isCommand: true})
    }
    const failed = await run('customer show key=nobody --json')
    expect(failed).to.include({code: 3})
    expect(failed.json).to.have.nested.property('error.exitCode', 3)
  })

  it('keep synonyms out of help', async () => {
    const {stdout} = await run('customers --help')
    expect(stdout).to.not.match(/customers (list|show|rm|search)\b/)
  })

  it('show help wherever it is asked for', async () => {
    const {stdout} = await run('customers get --help')
    for (const line of [
      'help customers get',
      'customers get key=ada -h',
      '--help customers get',
      'customers --help get',
      'help customer show',
      '--local customers get --help',
      'customer help get',
    ]) {
      const shown = await run(line)
      expect(shown, line).to.include({code: 0, stdout, stderr: ''})
    }
    expect((await run('customers help')).stdout).to.equal((await run('customers --help')).stdout)
    expect((await run('help nonsense')).code).to.equal(2)
    expect((await run('customers nonsense --help')).code).to.equal(2)
  })

  it('tell the version, as text or as JSON', async () => {
    const {stdout} = await run('--version')
    expect(stdout).to.match(/^frontdesk\/\d/)
    for (const line of ['-V', 'version', '--local version']) expect((await run(line)).stdout, line).to.equal(stdout)
    expect((await run('--json version')).json).to.have.property('version')
    expect((await run('-v')).stdout).to.include('USAGE')
  })
})

describe('cli · suggestions', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const hintOf = async (line: string): Promise<string> => {
    const {code, stderr} = await desk.run(line.split(' '))
    expect(code, line).to.equal(2)
    return stderr.split('\n')[1] ?? ''
  }

  it('begin with what was typed, below the topic that was typed', async () => {
    expect(await hintOf('customers reset x')).to.match(/^Did you mean `frontdesk customers reset-password`\? See/)
    expect(await hintOf('customers verify')).to.include('`frontdesk customers verify-email`')
    expect(await hintOf('customers qery'))
      .to.include('`frontdesk customers query`')
      .and.not.include('quotes')
    expect(await hintOf('customers serach hazel')).to.include('`frontdesk customers find`')
    expect(await hintOf('quotes find')).to.not.include('customers find')
    expect(await hintOf('custmers get')).to.include('`frontdesk customers`')
    expect(await hintOf('reset-password x')).to.include('`frontdesk customers reset-password`')
    expect(await hintOf('find hazel')).to.include('`frontdesk customers find`')
    expect(await hintOf('help reset-password')).to.include('`frontdesk customers reset-password`')
  })

  it('never offer what deletes', async () => {
    for (const word of ['delet', 'delte', 'dele', 'forgt', 'remov', 'revok', 'reset', 'erase', 'd', 'deletes']) {
      for (const topic of ['customers', 'token', 'profiles', 'server', '']) {
        const {stderr} = await desk.run(`${topic} ${word}`.trim().split(' '))
        const offered = (stderr.split('\n')[1] ?? '').split('See ')[0] ?? ''
        expect(offered, `${topic} ${word}`).to.not.match(/(delete|remove|forget|revoke|reset|restore|logout)`/)
      }
    }
  })
})
