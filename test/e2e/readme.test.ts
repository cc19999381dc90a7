import {spawn} from 'node:child_process'
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {processLimitMs} from '../patience.js'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Recipe {
  readonly title: string
  readonly script: string
}

/** The shell blocks below `## Recipes`, by their headings. */
function recipes(): Recipe[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const section = text.slice(text.indexOf('## Recipes'), text.indexOf('## Learn more'))
  return [...section.matchAll(/^### (.+)$[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)].map(([, title = '', script = '']) => ({
    title,
    script,
  }))
}

/** The scripts of a guide, one after the other. */
const guide = (page: string): Recipe => {
  const text = readFileSync(join(root, page), 'utf8')
  const script = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines).join('')
  return {title: `of ${page}`, script}
}

const guides = ['getting-started', 'support', 'migration', 'ci'].map((name) => `docs/${name}.md`).map(guide)

/** Every recipe as a person would run it: in a shell, in a folder with the fixtures, from an empty state. */
describe('e2e · README', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openSandbox()
  })
  afterEach(() => sandbox.remove())

  it('has ten recipes and the two commands of a stranger', () => {
    expect(recipes()).to.have.length(10)
    const text = readFileSync(join(root, 'README.md'), 'utf8')
    expect(text).to.contain('npm ci && npm run quickstart').and.contain('npm ci && npm test')
  })

  for (const {title, script} of [...recipes(), ...guides]) {
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
        ...(script.includes('demo') ? {FRONTDESK_PROJECT_KEY: 'demo'} : {}),
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
