import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {expect} from 'chai'
import {Asker} from '../../../src/cli/input/ask.js'
import {secretFrom, secretFromFlags} from '../../../src/cli/input/secret-inputs.js'
import type {Failure} from '../../../src/cli/process/failure.js'
import {type Io, processIo} from '../../../src/cli/process/io.js'
import {scripted} from '../run.js'

const ioOf = (over: {terminal?: boolean; env?: Record<string, string>; stdin?: string}): Io => ({
  ...processIo,
  stdin: Object.assign(Readable.from(over.stdin === undefined ? [] : [over.stdin]), {isTTY: over.terminal ?? false}),
  stderr: Object.assign(Object.create(process.stderr) as Io['stderr'], {isTTY: over.terminal ?? false}),
  env: over.env ?? {},
})
const failureOf = async (task: Promise<unknown>): Promise<Failure> =>
  task.then(
    () => expect.fail('it succeeded'),
    (error: Failure) => error,
  )
const options = {noInput: false, yes: false}

describe('cli · ask', () => {
  it('prompts only at a terminal that is nobody’s CI job', () => {
    expect(new Asker(ioOf({terminal: true}), options).interactive).to.equal(true)
    expect(new Asker(ioOf({}), options).interactive).to.equal(false)
    expect(new Asker(ioOf({terminal: true, env: {CI: 'true'}}), options).interactive).to.equal(false)
    expect(new Asker(ioOf({terminal: true, env: {FRONTDESK_NO_INPUT: '1'}}), options).interactive).to.equal(false)
    expect(new Asker(ioOf({terminal: true}), {...options, noInput: true}).interactive).to.equal(false)
    expect(new Asker(ioOf({terminal: true, env: {CI: 'false'}}), options).interactive).to.equal(true)
  })

  it('ends at once with code 12 and names the flag when nobody can answer', async () => {
    const ask = new Asker(ioOf({}), options)
    const failure = await failureOf(ask.hidden('Password', '--password-stdin'))
    expect(failure).to.include({ending: 'needsAnswer', exitCode: 12})
    expect(failure.hints.join()).to.include('--password-stdin')
    expect((await failureOf(ask.confirm('Delete?'))).hints.join()).to.include('--yes')
  })

  it('asks nothing that moves the cursor, and suggests nothing that is not what it seems', async () => {
    const seen: (string | undefined)[] = []
    const prompts = scripted(['a', 'b', 'yes'])
    const watched = {
      ...prompts,
      text: (message: string, byDefault?: string) => {
        seen.push(byDefault)
        return prompts.text(message)
      },
    }
    const ask = new Asker(ioOf({terminal: true}), options, watched)
    await ask.text('Name \u001b[2J\u202e?', '--name', 'x\u200by')
    await ask.text('Name?', '--name', 'ada')
    await ask.confirm('Delete \u009b2J?')
    expect(prompts.asked).to.deep.equal(['Name \\x1b[2J\\u202e?', 'Name?', 'Delete \\x9b2J?'])
    expect(seen).to.deep.equal([undefined, 'ada'])
  })

  it('takes --yes for a confirmation without asking', async () => {
    await new Asker(ioOf({}), {...options, yes: true}).confirm('Delete?')
  })

  it('asks for a new secret twice, three times in all if the entries differ, and sends nothing then', async () => {
    const asker = (answers: string[]) => new Asker(ioOf({terminal: true}), options, scripted(answers))
    expect(await asker(['a', 'a']).twice('New password', '--x')).to.equal('a')
    expect(await asker(['a', 'b', 'c', 'c']).twice('New password', '--x')).to.equal('c')
    const differing = ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'a']
    expect(await failureOf(asker(differing).twice('New password', '--x'))).to.include({ending: 'usage'})
    expect(await failureOf(asker(['no']).confirm('Delete?'))).to.include({ending: 'usage'})
    await asker(['prod', 'production ']).typed('production', 'Type it', '--x')
    const wrong = ['prod ', 'x', 'y', 'production']
    expect(await failureOf(asker(wrong).typed('production', 'Type it', '--x'))).to.include({ending: 'usage'})
  })
})

describe('cli · secret inputs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-secret-'))
  after(() => rmSync(folder, {recursive: true}))
  const file = (text: string, mode = 0o600): string => {
    const path = join(folder, `${Math.abs(text.length)}-${mode}`)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  it('takes one line feed away, and nothing else', async () => {
    expect(await secretFromFlags({stdin: true}, ioOf({stdin: ' pass word \n'}))).to.equal(' pass word ')
    expect(await secretFromFlags({stdin: true}, ioOf({stdin: 'secret\r\n'}))).to.equal('secret')
    expect(await secretFromFlags({file: file('geheim')}, ioOf({}))).to.equal('geheim')
    expect(await secretFromFlags({}, ioOf({}))).to.equal(undefined)
  })

  it('refuses no secret, two lines, folders, missing files and files that others can read', async () => {
    for (const stdin of ['', '\n', 'a\nb\n']) {
      expect(await failureOf(secretFromFlags({stdin: true}, ioOf({stdin})))).to.include({ending: 'usage'})
    }
    expect(await failureOf(secretFromFlags({file: folder}, ioOf({})))).to.include({ending: 'usage'})
    expect(await failureOf(secretFromFlags({file: join(folder, 'none')}, ioOf({})))).to.include({ending: 'usage'})
    const loose = await failureOf(secretFromFlags({file: file('longer secret', 0o644)}, ioOf({})))
    expect(loose).to.include({code: 'StatePermissions'})
    expect(loose).to.have.property('remedy').that.includes('chmod 600')
    expect(loose.message).to.not.include('longer secret')
  })

  it('prompts twice for a new one when no flag gives it', async () => {
    const io = ioOf({terminal: true})
    const prompts = scripted(['new', 'new'])
    const ask = new Asker(io, options, prompts)
    expect(await secretFrom({}, {io, ask, question: 'New password', flag: '--x', twice: true})).to.equal('new')
    expect(prompts.asked).to.have.length(2)
  })
})
