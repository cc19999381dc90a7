import {spawn} from 'node:child_process'
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {Screen} from '../cli/desk/screen.js'
import {processLimitMs} from '../patience.js'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'
import {hasPty, Pty} from './pty.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Recipe {
  readonly title: string
  readonly script: string
}

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const section = readme.slice(readme.indexOf('## Recipes'), readme.indexOf('## Learn more'))
const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)

/** The shell blocks below `## Recipes`, by their headings. */
function recipes(): Recipe[] {
  return [...section.matchAll(/^### (.+)$[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)].map(([, title = '', script = '']) => ({
    title,
    script,
  }))
}

/** The scripts of a guide, one after the other. */
const guide = (page: string): Recipe => {
  return {title: `of ${page}`, script: scriptsIn(readFileSync(join(root, page), 'utf8')).join('')}
}

/** Every recipe after the line that all of them begin with, and all of them in one home. */
const [preparation = ''] = scriptsIn(section)
const alone = recipes().map(({title, script}) => ({title, script: preparation + script}))
const fromTopToBottom = {title: 'after recipe, from top to bottom', script: scriptsIn(section).join('')}

const guides = ['getting-started', 'support', 'administration', 'migration', 'ci']
  .map((name) => `docs/${name}.md`)
  .map(guide)

/** Every recipe as a person would run it: in a shell, in a folder with the fixtures, from an empty state. */
describe('e2e · README', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openSandbox()
  })
  afterEach(() => sandbox.remove())

  it('has ten recipes and the two commands of a stranger', () => {
    expect(recipes()).to.have.length(10)
    expect(readme).to.contain('npm ci && npm run quickstart').and.contain('npm ci && npm test')
  })

  it('has a quick start of at most 80 columns, which ends at the desk', async function () {
    if (!hasPty()) this.skip()
    const tour = new Pty([], {home: sandbox.home, program: join(root, 'bin/quickstart.mjs')})
    expect(await tour.ended, tour.text).to.equal(0)
    const {lines} = new Screen(1000).written(tour.text)
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  export '))).to.deep.equal([])
    expect(lines.filter((line) => line !== '').at(-1)).to.match(/^ {2}frontdesk desk /)
  })

  for (const {title, script} of [...alone, fromTopToBottom, ...guides]) {
    it(`runs recipe ${title}`, async () => {
      const bin = join(sandbox.home, 'bin')
      mkdirSync(bin)
      writeFileSync(
        join(bin, 'frontdesk'),
        `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/run.js')}' "$@"\n`,
        {mode: 0o755},
      )
      symlinkSync(join(root, 'fixtures'), join(sandbox.home, 'fixtures'))
      const env = {
        ...cleanEnvironment(sandbox.home),
        PATH: `${bin}:${process.env['PATH']}`,
        FRONTDESK_DATA_DIR: sandbox.data,
      }
      const {code, output} = await shell(script, sandbox.home, env)
      expect(code, output).to.equal(0)
      expect(output).to.not.match(/^\s+at .+:\d+:\d+\)?$/m)
    })
  }
})

function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{code: number | null; output: string}> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euxo', 'pipefail', '-c', script], {
      cwd,
      env,
      timeout: processLimitMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => resolve({code, output}))
  })
}
