import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Finished} from './binary.js'
import {Day} from './canary-day.js'

/**
 * A working day with secrets that exist nowhere else, every command traced and talkative. Afterwards everything that was
 * printed or written is searched: a secret is where it was meant to be, and nowhere else.
 */

const json = <T>({stdout}: Finished): T => JSON.parse(stdout) as T

describe('e2e · canaries', () => {
  let day: Day
  beforeEach(() => {
    day = new Day()
  })
  afterEach(() => day.box.remove())

  /** Profiles with every source of a secret, against a server that writes down its requests. */
  async function credentials(apiUrl: string): Promise<void> {
    const {canaries} = day
    const shown = json<Record<string, string>>(await day.run(['server', 'env', '--json', '--project-key', 'shop']))
    const {FRONTDESK_CLIENT_ID: id = '', FRONTDESK_CLIENT_SECRET: clientSecret = ''} = shown
    canaries.note('client secret', clientSecret)
    const file = day.file('secret', `${clientSecret}\n`)
    const place = ['--project-key', 'shop', '--api-url', apiUrl, '--client-id', id]
    const env = {SHOP_SECRET: clientSecret}
    for (const [name, from] of [
      ['by-env', 'env:SHOP_SECRET'],
      ['by-file', `file:${file}`],
      ['by-command', `command:echo working >&2; cat '${file}'`],
      ['by-no-command', `command:cat '${file}'; exit 3`],
    ] as const) {
      await day.run(['login', name, '--no-check', ...place, '--secret-from', from])
    }
    for (const name of ['by-env', 'by-file', 'by-command']) await day.run(['whoami', '-P', name], {env})
    await day.run(['login', 'desk', '--no-secret', ...place])
    await day.secretly('wrong secret', ['login', 'desk', '--secret-stdin'], {code: 4})
    await day.run(['login', 'desk', '--secret-stdin'], {input: clientSecret})
    await day.run(['whoami', '-P', 'desk', '--origins', '--json'])
    await day.run(['profiles', 'use', 'desk'])
    await day.run(['whoami', '--check'])
  }

  /** What people try, and what must not answer with the secret in its mouth. */
  async function mistakes(): Promise<void> {
    const wrong = day.canaries.make('on the command line')
    const create = ['customers', 'create', '--email', 'x@example.com']
    for (const words of [
      [...create, '--password', wrong],
      [...create, `--password=${wrong}`],
      [...create, `--passwd=${wrong}`],
      [...create, '--set', `password=${wrong}`],
      [...create, '--password-stdin', wrong],
      ['customers', 'create', '--body', JSON.stringify({email: 'x@example.com', password: wrong})],
      ['customers', 'create', '--body', `{"password":"${wrong}"`],
      ['customers', 'update', 'key=ada', '--action', JSON.stringify({action: 'setKey', password: wrong})],
      ['login', 'desk', '--client-secret', wrong],
      ['token', 'introspect', wrong],
      ['token', 'revoke', '--token', wrong],
      ['api', 'GET', `customers/password-token=${encodeURIComponent(wrong)}`],
      ['api', 'POST', 'customers/password/reset', '--body', JSON.stringify({tokenValue: wrong, newPassword: wrong})],
    ]) {
      // The person wrote it into argv; nothing of ours may repeat it.
      await day.run(words, {code: 2, as: 'a mistake', env: {CANARY_ARGV: '/dev/null'}})
      await day.run([...words, '--json'], {code: 2, as: 'a mistake', env: {CANARY_ARGV: '/dev/null'}})
    }
    const broken = day.canaries.make('broken JSON')
    await day.run(['customers', 'create', '--body', '-'], {code: 2, input: `{"password":"${broken}"x}`})
    await day.run(['customers', 'create', '--body', '-'], {code: 2, input: broken})
    const badRow = day.canaries.make('broken row')
    await day.run(['customers', 'import', '-', '--format', 'jsonl'], {code: 2, input: `{"password":"${badRow}"x}\n`})
    await day.secretly('unknown token', ['customers', 'password-token', 'get', '-'], {code: 3})
    const {canaries} = day
    const bearer = day.file('bearer', canaries.make('bearer of nobody').slice(9))
    await day.run(['quotes', 'query', '--as', `file:${bearer}`], {code: 4})
    await day.run(['customers', 'query'], {code: 4, env: {FRONTDESK_TOKEN: canaries.make('wrong token').slice(9)}})
    await day.run(['whoami', '-P', 'by-env'], {code: 4, env: {SHOP_SECRET: canaries.make('changed secret')}})
    await day.run(['whoami', '-P', 'by-no-command', '--project-key', 'shop'], {code: 4, as: 'a failing command'})
  }

  /** Passwords by each way they can come. */
  async function passwords(): Promise<void> {
    const {canaries} = day
    const ada = ['--email', 'ada@example.com', '--key', 'ada']
    const first = canaries.make('first password')
    await day.run(['customers', 'create', ...ada, '--password-stdin', '--dry-run'], {input: first})
    await day.run(['customers', 'create', ...ada, '--password-stdin', '--json'], {input: first})
    await day.secretly('refused password', ['customers', 'create', ...ada, '--password-stdin'], {code: 5})
    const byFile = day.file('bob', canaries.make('password of a file'))
    await day.run(['customers', 'create', '--email', 'bob@example.com', '--password-file', byFile])
    const body = JSON.stringify({email: 'eve@example.com', password: canaries.make('password of a body')})
    await day.run(['customers', 'create', '--body', '-', '--dry-run'], {input: body})
    await day.run(['customers', 'create', '--body', '-'], {input: body})
    const made = join(day.box.home, 'generated')
    await day.run(['customers', 'create', '--email', 'g@example.com', '--generate-password', '--secret-out', made])
    canaries.note('generated password', readFileSync(made, 'utf8').trim())

    const signIn = ['customers', 'sign-in', 'ada@example.com', '--password-stdin']
    await day.secretly('wrong password', signIn, {code: 4})
    await day.run([...signIn, '--check-only'], {input: first})
    await day.run([...signIn, '--json'], {input: first})
    const current = day.file('first', first)
    const second = day.file('second', canaries.make('second password'))
    const change = ['customers', 'change-password', 'key=ada']
    await day.run([...change, '--current-password-file', second, '--new-password-file', second], {code: 4})
    await day.run([...change, '--current-password-file', current, '--new-password-file', second])
    await day.secretly('third password', ['customers', 'reset-password', 'key=ada', '--set', '--new-password-stdin'])
    for (const kind of ['password', 'email'] as const) {
      const created = await day.run(['customers', `${kind}-token`, 'create', 'key=ada', '--show-secret', '--json'])
      const file = day.file(kind, canaries.note(`${kind} token`, json<{value: string}>(created).value))
      await day.run(['customers', `${kind}-token`, 'get', '--token-file', file, '--fields', 'id,version'])
      const set = kind === 'email' ? [] : ['--new-password-file', day.file('fourth', canaries.make('fourth password'))]
      await day.run(['customers', `${kind}-token`, 'use', '--token-file', file, ...set])
      await day.run(['customers', `${kind}-token`, 'use', '--token-file', file, ...set], {
        code: kind === 'email' ? 3 : 3,
      })
    }
  }

  /** Tokens: printed where that was asked for, kept where that was asked for. */
  async function tokens(): Promise<void> {
    const {canaries} = day
    const printed = await day.run(['token', 'issue', '--print', 'raw', '--show-secret'], {
      as: 'token issue --print raw',
    })
    const token = canaries.note('printed token', printed.stdout.trim())
    await day.run(['token', 'introspect', '-'], {input: token})
    await day.run(['customers', 'query'], {env: {FRONTDESK_TOKEN: token}, as: 'FRONTDESK_TOKEN'})
    await day.run(['token', 'revoke', '-', '--verify'], {input: token})
    await day.run(['customers', 'query'], {env: {FRONTDESK_TOKEN: token}, code: 4, as: 'FRONTDESK_TOKEN, revoked'})
    const issue = ['token', 'issue', '--flow', 'password', '--email', 'ada@example.com', '--password-file']
    await day.run([...issue, join(day.given, 'fourth'), '--save', 'ada'])
    const session = JSON.parse(readFileSync(join(day.box.home, 'cache/frontdesk/sessions/ada.json'), 'utf8')) as {
      accessToken: string
      refreshToken: string
    }
    canaries.note('saved token', session.accessToken)
    canaries.note('saved refresh token', session.refreshToken)
    await day.run(['token', 'list', '--json'])
    await day.run(['quotes', 'query', '--as', 'session:ada'])
    await day.run(['token', 'refresh', 'ada', '--fields', 'scope'])
  }

  async function bulk(): Promise<void> {
    const {canaries} = day
    const rows = ['one', 'two', 'ada@example.com'].map((key, index) =>
      JSON.stringify({
        key: key.includes('@') ? 'taken' : key,
        email: key.includes('@') ? key : `${key}@example.com`,
        password: canaries.make(`password of row ${index + 1}`),
      }),
    )
    const file = day.file('rows.jsonl', `${rows.join('\n')}\n`)
    await day.run(['customers', 'import', file, '--dry-run'], {code: 10})
    await day.run(['customers', 'import', file, '--report', join(day.box.home, 'report.csv')], {code: 10})
    await day.run(['customers', 'export', '--format', 'jsonl'])
    await day.run(['customers', 'export', '--out', join(day.box.home, 'all.csv')])
    await day.run(['jobs', 'list', '--json'])
  }

  function noteCachedTokens(): void {
    const folder = join(day.box.home, 'cache/frontdesk/tokens')
    for (const [index, name] of readdirSync(folder).entries()) {
      const {accessToken} = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {accessToken: string}
      day.canaries.note(`cached token ${index + 1}`, accessToken)
    }
  }

  it('are only where they were meant to be', async () => {
    const server = await day.box.serve(['--project-key', 'shop', '--log'])
    await credentials(server.apiUrl)
    await passwords()
    await tokens()
    await bulk()
    await mistakes()
    await day.run(['check', 'smoke'])
    await day.run(['audit', 'list', '--since', '1d', '--json'])
    const child = ['--', process.execPath, '-e', 'console.log(process.argv.join(), process.ppid)']
    await day.run(['server', 'exec', '--data', join(day.box.home, 'beside'), ...child])
    await day.run(['server', 'stop'])
    const {stdout, stderr} = await server.exited
    day.keep('stdout of the server', stdout)
    day.keep('log of the server', stderr)
    expect(stderr).to.include('"path":"/shop/customers')
    noteCachedTokens()

    const {found, loose} = day.findings()
    expect(found).to.deep.equal([
      'cached token 1 in cache/frontdesk/tokens/….json',
      'client secret in config/frontdesk/secrets/desk',
      'client secret in state/shop.client.json',
      'client secret in stdout of server env --json',
      'email token in stdout of customers email-token create',
      'generated password in generated',
      'password token in stdout of customers password-token create',
      'printed token in stdout of token issue --print raw',
      'saved refresh token in cache/frontdesk/sessions/ada.json',
    ])
    expect(loose, 'files that others can read').to.deep.equal([])
    const argv = readFileSync(day.argv, 'utf8')
    expect(argv).to.include('"spawn"').and.include('"customers","sign-in"')
  })
})
