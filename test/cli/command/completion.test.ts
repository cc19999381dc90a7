import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {argumentKinds, candidatesFor, flagKinds, type Kind} from '../../../commands/completion.js'
import {globalFlags} from '../../../src/cli/input/flags.js'
import {built, config, Desk} from '../run.js'

/** How to ask a shell without a terminal what a script offers for words, the last of them being typed. */
const asking: Record<string, (script: string, words: readonly string[]) => readonly string[]> = {
  bash: (script, words) => [
    '-c',
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frontdesk; printf '%s\\n' "\${COMPREPLY[@]}"`,
    script,
    ...words,
  ],
  // What zsh brings for the matching itself needs a terminal; it is told what may be typed.
  zsh: (script, words) => [
    '-fc',
    `compdef() {}; compadd() { shift; print -l -- "$@" }; _files() {}
    compset() { BEFORE="\${PREFIX%%=*}="; PREFIX="\${PREFIX#*=}" }
    source "$0"; words=("$@") CURRENT=$# PREFIX=$@[-1]; _frontdesk`,
    script,
    ...words,
  ],
  fish: (script, words) => ['--no-config', '-c', `source '${script}'; complete -C'${words.join(' ')}'`],
}

const offers: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ['frontdesk ', ['customers', 'quotes', 'help'], ['get', '--json', 'customer', 'config']],
  ['frontdesk cust', ['customers'], ['quotes']],
  ['frontdesk customers ', ['get', 'password-token'], ['customers', 'use', '--json', 'list', 'remove']],
  ['frontdesk customer ', ['get'], ['customers']],
  ['frontdesk --local -P staging customers ', ['get'], ['staging', 'customers']],
  ['frontdesk --profile customers quotes acc', ['accept'], ['get']],
  ['frontdesk customers password-token ', ['create', 'get', 'use'], ['find']],
  ['frontdesk customers get -', ['--expand', '--json', '-o'], ['--token-file', 'get', '--values']],
  ['frontdesk customer show -', ['--expand'], ['--token-file']],
  ['frontdesk customers get key=x --json --exp', ['--expand'], ['--json']],
  ['frontdesk customers password-token get --', ['--token-file'], ['--assert']],
  ['frontdesk -', ['--local', '-P'], ['--expand']],
  ['frontdesk help ', ['customers', 'exit-codes'], ['get']],
  ['frontdesk customers query -o ', ['json', 'csv'], ['--json']],
  ['frontdesk customers query --output js', ['json', 'jsonl'], ['csv']],
  ['frontdesk -o y', ['yaml'], ['customers']],
  ['frontdesk customers update x --on-conflict ', ['fail', 'retry', 'rebase'], ['json']],
  ['frontdesk messages list --type CustomerEmail', ['asked:message types'], []],
  ['frontdesk server faults ', ['set', 'operations'], ['start']],
  ['frontdesk completion ', ['bash', 'powershell'], []],
  ['frontdesk customers get --profile ', ['asked:profiles'], ['table']],
  ['frontdesk -P ', ['asked:profiles'], ['table']],
  ['frontdesk profiles use ', ['asked:profiles'], ['table']],
  ['frontdesk token forget ', ['asked:sessions'], []],
  ['frontdesk customers update x --add-store ', ['asked:stores'], []],
  ['frontdesk token introspect --saved ', ['asked:sessions'], ['table']],
  ['frontdesk jobs show ', ['asked:jobs'], []],
]

/** Stands for the installed command: offers one word, the one being typed and behind it all that it was asked. */
const standIn = `#!/bin/sh
[ "$1 $3" = 'completion --' ] || exit 1
shift 3
for last in "$@"; do :; done
IFS=+
echo "\${last#*=}<$*>"
`

describe('cli · completion', () => {
  const desk = new Desk()
  after(() => desk.remove())

  it('offers what may follow, and only that', async () => {
    const known = await config()
    for (const [line, offered, not] of offers) {
      const {offer} = candidatesFor(line.split(' ').slice(1), known)
      const typed = line.split(' ').at(-1) ?? ''
      const found = typeof offer === 'string' ? [`asked:${offer}`] : offer.filter((word) => word.startsWith(typed))
      expect(found, line).to.include.members([...offered])
      for (const word of not) expect(found, line).to.not.include(word)
    }
  })

  it('offers the values of a flag after =', async () => {
    const known = await config()
    for (const line of ['customers query --output=js', '--profile=quotes customers query --output=']) {
      const {before, offer} = candidatesFor(line.split(' '), known)
      expect(before).to.equal('--output=')
      expect(offer).to.include.members(['table', 'jsonl'])
    }
  })

  for (const [shell, ask] of Object.entries(asking)) {
    it(`asks the program in ${shell}, word by word`, async function () {
      if (spawnSync(shell, ['--version']).status !== 0) this.skip()
      const script = join(desk.folder, shell)
      writeFileSync(script, (await desk.run(['completion', shell])).stdout)
      writeFileSync(join(desk.folder, 'frontdesk'), standIn, {mode: 0o755})
      const env = {...process.env, HOME: desk.folder, PATH: `${desk.folder}:${process.env['PATH'] ?? ''}`}
      for (const line of ['frontdesk ', 'frontdesk cust', 'frontdesk -P staging profiles show ', 'frontdesk jobs -']) {
        const words = line.split(' ')
        const {stdout, stderr} = spawnSync(shell, ask(script, words), {encoding: 'utf8', cwd: desk.folder, env})
        expect(stderr, line).to.equal('')
        const found = stdout.split('\n').map((text) => text.split('\t')[0])
        expect(found, line).to.include(`${words.at(-1) ?? ''}<${words.slice(1).join('+')}>`)
      }
    })
  }

  it('offers files in fish where the program offers nothing', async function () {
    if (spawnSync('fish', ['--version']).status !== 0) this.skip()
    const script = join(desk.folder, 'fish-files')
    writeFileSync(script, (await desk.run(['completion', 'fish'])).stdout)
    writeFileSync(join(desk.folder, 'frontdesk'), '#!/bin/sh\n', {mode: 0o755})
    writeFileSync(join(desk.folder, 'rows.csv'), '')
    const env = {...process.env, HOME: desk.folder, PATH: `${desk.folder}:${process.env['PATH'] ?? ''}`}
    const words = ['frontdesk', 'customers', 'import', 'ro']
    const {stdout} = spawnSync('fish', asking['fish']?.(script, words) ?? [], {encoding: 'utf8', cwd: desk.folder, env})
    expect(stdout.trim()).to.equal('rows.csv')
  })

  it('joins in bash what it breaks at =', async () => {
    const script = join(desk.folder, 'bash-equals')
    writeFileSync(script, (await desk.run(['completion', 'bash'])).stdout)
    writeFileSync(join(desk.folder, 'frontdesk'), standIn, {mode: 0o755})
    const env = {...process.env, PATH: `${desk.folder}:${process.env['PATH'] ?? ''}`}
    for (const [words, asked] of [
      [['frontdesk', 'query', '--output', '=', 'js'], 'js<query+--output=js>'],
      [['frontdesk', '--profile', '=', 'quotes', '-o', '='], '<--profile=quotes+-o=>'],
    ] as const) {
      const {stdout} = spawnSync('bash', asking['bash']?.(script, words) ?? [], {encoding: 'utf8', env})
      expect(stdout.trim()).to.equal(asked)
    }
  })

  it('completes in bash by the program itself', async () => {
    const script = join(desk.folder, 'bash-real')
    writeFileSync(script, (await desk.run(['completion', 'bash'])).stdout)
    const program = `#!/bin/sh\nexec node ${process.cwd()}/bin/dev.js "$@"\n`
    writeFileSync(join(desk.folder, 'frontdesk'), program, {mode: 0o755})
    const env = {...process.env, HOME: desk.folder, PATH: `${desk.folder}:${process.env['PATH'] ?? ''}`}
    const words = ['frontdesk', 'customers', 'query', '--output', '=', 'js']
    const {stdout} = spawnSync('bash', asking['bash']?.(script, words) ?? [], {encoding: 'utf8', env})
    expect(stdout.trim().split('\n')).to.deep.equal(['json', 'jsonl'])
  })

  it('is written for PowerShell with balanced quotes and brackets', async () => {
    const {stdout, code} = await desk.run(['completion', 'powershell'])
    expect(code).to.equal(0)
    const bare = stdout.replace(/'(?:[^']|'')*'/g, '').replace(/"[^"]*"/g, '')
    expect(bare).to.not.match(/['"]/)
    for (const [open, close] of ['()', '{}', '[]']) {
      expect(bare.split(open ?? '').length, open).to.equal(bare.split(close ?? '').length)
    }
  })
})

describe('cli · values to complete', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const asked: Partial<Record<Kind, string>> = {
    ...{profiles: 'profiles use', stores: 'customers update x --add-store', sessions: 'token forget'},
    'message types': 'messages list --type',
  }
  const values = async (kind: Kind, line = asked[kind] ?? ''): Promise<string[]> => {
    const {code, stdout, stderr} = await desk.run(['completion', 'bash', '--', ...line.split(' '), ''])
    expect(code, stderr).to.equal(0)
    return stdout.split('\n').slice(0, -1)
  }

  it('are profiles, with their stores, sessions and types of messages', async () => {
    await desk.run(['login', 'shop', '--local', '--project-key', 'shop', '--store', 'berlin'])
    await desk.run(['login', 'other', '--local', '--project-key', 'other', '--store', 'berlin'])
    expect(await values('profiles')).to.deep.equal(['local', 'shop', 'other'])
    expect(await values('stores')).to.deep.equal(['berlin'])
    expect(await values('sessions')).to.deep.equal([])
    expect(await values('message types')).to.include('CustomerDeleted')
  })

  it('leave synonyms out, as the built program says', () => {
    const offered = (...words: string[]) =>
      spawnSync(process.execPath, [built, 'completion', 'bash', '--', ...words, ''], {
        env: desk.env,
        encoding: 'utf8',
      }).stdout.split('\n')
    expect(offered()).to.include('customers').and.not.include.members(['customer', 'job', 'config'])
    expect(offered('customers')).to.include('find').and.not.include('search')
  })

  it('are declared for flags and arguments that there are', async () => {
    const {commands} = await config()
    const flags = new Set([...Object.keys(globalFlags), ...commands.flatMap((command) => Object.keys(command.flags))])
    expect(Object.keys(flagKinds).filter((name) => !flags.has(name))).to.deep.equal([])
    const given = commands.flatMap(({id, args}) =>
      Object.keys(args).flatMap((name) => [`${id.replaceAll(':', ' ')} ${name}`, `${id.split(':')[0] ?? ''} ${name}`]),
    )
    expect(Object.keys(argumentKinds).filter((name) => !given.includes(name))).to.deep.equal([])
  })
})
