import {existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {config, Desk, type Ended} from '../run.js'

/** Every flag that promises safety takes effect on every path of every command that has it, or is refused. */

const canary = 'canary.person@example.com'

describe('cli · flags that promise safety', () => {
  let desk: Desk
  before(async () => {
    desk = new Desk()
    const ada = ['--email', 'ada@example.com', '--key', 'ada', '--password-stdin', '--project-key', 'shop']
    expect((await desk.run(['customers', 'create', ...ada], {stdin: 'a good password'})).code).to.equal(0)
    const added = await desk.run(['login', 'red', '--local', '--project-key', 'shop', '--always-redact'])
    expect(added.code, added.stderr).to.equal(0)
  })
  after(() => desk.remove())

  let count = 0
  const secretIn = (path: string): string => {
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    return readFileSync(path, 'utf8').trim()
  }
  const run = (words: string, stdin?: string): Promise<Ended> =>
    desk.run([...words.split(' '), '--project-key', 'shop'], stdin === undefined ? {} : {stdin})

  /** By command and way of use: whether `--secret-out` gets a secret, or is refused with 2. */
  const secretOut: Readonly<Record<string, Readonly<Record<string, 'written' | 'refused'>>>> = {
    'customers create': {
      '--email EMAIL --generate-password': 'written',
      '--email EMAIL --generate-password --json': 'written',
      '--email EMAIL --password-stdin': 'refused',
      '--email EMAIL --external-auth': 'refused',
      '--email EMAIL --generate-password --show-secret': 'refused',
    },
    'customers reset-password': {
      'key=ada': 'written',
      'key=ada --ttl 30m --json': 'written',
      'key=ada --set --generate-password': 'written',
      'key=ada --set --generate-password --json': 'written',
      'key=ada --set --new-password-stdin': 'refused',
      'key=ada --set': 'refused',
      'key=ada ada@example.com': 'refused',
      'key=ada --show-secret': 'refused',
    },
    'customers email-token create': {'key=ada': 'written', 'key=ada --json': 'written'},
    'customers password-token create': {'key=ada': 'written', 'key=ada --json': 'written'},
    'customers verify-email': {
      'key=ada --send-only': 'written',
      'key=ada --send-only --json': 'written',
      'key=ada': 'refused',
      'key=ada ada@example.com --send-only': 'refused',
    },
    'token issue': {
      '': 'written',
      '--json': 'written',
      '--save kept': 'written',
      '--flow anonymous --json': 'written',
    },
  }

  it('S-307 --secret-out of every command that has it gets the secret, which then stands nowhere else, or is refused', async () => {
    const declaring = (await config()).commands.filter(({flags}) => 'secret-out' in flags || 'show-secret' in flags)
    expect(declaring.map(({id}) => id.replaceAll(':', ' ')).sort()).to.deep.equal(Object.keys(secretOut).sort())
    for (const [command, uses] of Object.entries(secretOut)) {
      for (const [use, expected] of Object.entries(uses)) {
        count += 1
        const path = join(desk.folder, `secret-${count}`)
        const words = `${command} ${use.replace('EMAIL', `p${count}@example.com`)} --secret-out ${path}`.replace(
          '  ',
          ' ',
        )
        const {code, stdout, stderr} = await run(words, 'a good password')
        expect(code, words + stderr).to.equal(expected === 'written' ? 0 : 2)
        expect(existsSync(path), words).to.equal(expected === 'written')
        if (expected === 'refused') continue
        expect(secretIn(path)).to.match(/^[\w-]{12,}$/)
        expect(stdout + stderr, words).to.not.include(secretIn(path))
        rmSync(path)
        for (const make of [() => symlinkSync(join(desk.folder, 'nowhere'), path), () => writeFileSync(path, 'mine')]) {
          make()
          expect((await run(words)).code, words).to.equal(2)
          rmSync(path)
        }
      }
    }
    expect(existsSync(join(desk.folder, 'nowhere'))).to.equal(false)
  })

  it('S-307 a new secret goes into a pipe with --show-secret only, and the refusal comes before anything is sent', async () => {
    for (const [command, uses] of Object.entries(secretOut)) {
      for (const use of Object.entries(uses).flatMap(([words, expected]) => (expected === 'written' ? [words] : []))) {
        const words = `${command} ${use.replace('EMAIL', 'piped@example.com')}`.trim()
        if (words.includes('--save')) continue
        const sent = async (): Promise<unknown> => (await run('audit list --json')).json
        const before = await sent()
        const refused = await run(words)
        expect(refused.code, words).to.equal(2)
        expect(refused.stdout + refused.stderr, words)
          .to.include('--show-secret')
          .and.include('--secret-out FILE')
        expect(await sent(), words).to.deep.equal(before)
      }
    }
    expect((await run('token issue --print raw --show-secret')).stdout).to.match(/^[\w-]{43}\n$/)
  })

  it('S-307 --show-secret without a secret to show is refused', async () => {
    for (const words of [
      'customers create --email x@example.com --external-auth --show-secret',
      'customers verify-email key=ada --show-secret',
      'token issue --save kept --show-secret',
      'customers reset-password key=ada --set --new-password-stdin --show-secret',
    ]) {
      expect((await run(words, 'a good password')).code, words).to.equal(2)
    }
  })

  it('S-307 redaction holds for every command that shows people when its arguments cannot be parsed', async () => {
    const commands = (await config()).commands.filter((command) => command['shows'] !== 'installation')
    expect(commands.length).to.be.greaterThan(30)
    for (const {id, strict} of commands) {
      const wrong = [[`--no-such-flag=${canary}`, canary], ...(strict === false ? [] : [Array(5).fill(canary)])]
      for (const words of wrong) {
        for (const mask of [['-P', 'red'], ['-Pred'], ['--profile=red'], ['--profile', 'red'], ['--redact']]) {
          const argv = [...id.split(':'), ...words, ...mask]
          const {stdout, stderr, code} = await desk.run(argv)
          expect(code, argv.join(' ')).not.to.equal(0)
          expect(stdout + stderr, argv.join(' ')).to.not.include(canary)
        }
      }
    }
  })
})
