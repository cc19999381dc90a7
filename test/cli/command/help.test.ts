import {expect} from 'chai'
import {readCommandLine} from '../../../src/cli/command/argv.js'
import {reflowed, showHelp} from '../../../src/cli/command/help.js'
import {topics} from '../../../src/cli/command/help-topics.js'
import {globalFlags} from '../../../src/cli/input/flags.js'
import {processIo} from '../../../src/cli/process/io.js'
import {Collected, config} from '../run.js'

async function helpOf(words: readonly string[], columns: number): Promise<string> {
  const stdout = new Collected(true, columns)
  await showHelp(await readCommandLine(['help', ...words], await config()), await config(), {...processIo, stdout})
  return stdout.text
}

/** A command line or a quoted text, which is left whole for who copies it, or a word that has no blank. */
const isUnbreakable = (line: string): boolean => /frontdesk |[`"'{]/.test(line) || !line.trim().includes(' ')

/** The paragraphs of a description. */
const descriptionOf = (help: string): readonly string[] =>
  (/^DESCRIPTION\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '').trimEnd().split('\n')

describe('cli · help', () => {
  for (const width of [60, 80, 120]) {
    it(`fits ${width} columns, and fills them`, async () => {
      const {commands, topics: nouns} = await config()
      const names = [...commands.map(({id}) => id), ...nouns.map(({name}) => name), ...topics.keys(), '']
      for (const name of names) {
        const help = await helpOf(name === '' ? [] : name.split(':'), width)
        const long = help.split('\n').filter((line) => line.length > width && !isUnbreakable(line))
        expect(long, name).to.deep.equal([])
        const lines = descriptionOf(help)
        for (const [at, line] of lines.slice(0, -1).entries()) {
          const [next = ''] = (lines[at + 1] ?? '').trim().split(' ')
          if (!/[`"'{]|frontdesk/.test(line + (lines[at + 1] ?? '')))
            expect(line.length + 1 + next.length, `${name}: ${line}`).to.be.greaterThan(width - 3)
        }
      }
    })
  }

  it('shows the flags of the command, the names of the global ones, and how to see more of these', async () => {
    const help = await helpOf(['customers', 'update'], 80)
    expect(help).to.include('--set=PATH=VALUE').and.include('frontdesk help flags')
    for (const name of Object.keys(globalFlags)) expect(help).to.include(`--${name}`)
    const flags = await helpOf(['flags'], 80)
    for (const {summary} of Object.values<{summary?: string}>(globalFlags))
      expect(flags.replace(/\s+/g, ' ')).to.include(summary)
  })

  it('sets meanings below each other, and below their label where there is little room', () => {
    const text = 'One paragraph\nof two lines.\n\n  -a      short\n  --long  a meaning\n          that goes on'
    expect(reflowed(text, 80)).to.equal(
      'One paragraph of two lines.\n\n  -a      short\n  --long  a meaning that goes on',
    )
    expect(reflowed(text, 41).split('\n').slice(3)).to.deep.equal(['  --long  a meaning that goes on'])
    expect(reflowed(text, 30).split('\n').slice(-2)).to.deep.equal(['  --long', '      a meaning that goes on'])
  })
})
