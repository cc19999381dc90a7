import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

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
    source "$0"; words=("$@") CURRENT=$# PREFIX=$@[-1]; _frontdesk`,
    script,
    ...words,
  ],
  fish: (script, words) => ['--no-config', '-c', `source '${script}'; complete -C'${words.join(' ')}'`],
}

const offers: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ['frontdesk ', ['customers', 'quotes', 'help'], ['get', '--json']],
  ['frontdesk cust', ['customers'], ['quotes']],
  ['frontdesk customers ', ['get', 'password-token'], ['customers', 'use', '--json']],
  ['frontdesk customers password-token ', ['create', 'get', 'use'], ['find']],
  ['frontdesk customers get key=x ', [], ['get', 'find', 'key=x']],
  ['frontdesk customers get -', ['--expand', '--json', '-o'], ['--token-file', 'get']],
  ['frontdesk customers get key=x --json --exp', ['--expand'], ['--json']],
  ['frontdesk customers password-token get --', ['--token-file'], ['--assert']],
]

describe('cli · completion', () => {
  const desk = new Desk()
  after(() => desk.remove())

  for (const [shell, ask] of Object.entries(asking)) {
    it(`offers in ${shell} what may follow, and only that`, async function () {
      if (spawnSync(shell, ['--version']).status !== 0) this.skip()
      const script = join(desk.folder, shell)
      writeFileSync(script, (await desk.run(['completion', shell])).stdout)
      for (const [line, offered, not] of offers) {
        const words = line.split(' ')
        const options = {encoding: 'utf8', cwd: join(desk.folder), env: {...process.env, HOME: desk.folder}} as const
        const {stdout, stderr} = spawnSync(shell, ask(script, words), options)
        expect(stderr, line).to.equal('')
        const found = stdout.split('\n').map((text) => text.split('\t')[0] ?? '')
        const fitting = found.filter((word) => word.startsWith(words.at(-1) ?? ''))
        expect(fitting, line).to.include.members([...offered])
        for (const word of not) expect(fitting, line).to.not.include(word)
      }
    })
  }
})
