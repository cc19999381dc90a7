import {join} from 'node:path'
import {expect} from 'chai'
import {Screen} from '../cli/desk/screen.js'
import {openSandbox, type Sandbox} from './binary.js'
import {hasPty, Pty} from './pty.js'
import {furnish, page, root, scriptsIn, shell} from './typed.js'

interface Recipe {
  readonly title: string
  readonly script: string
}

const readme = page('README.md')
const section = readme.slice(readme.indexOf('## Recipes'), readme.indexOf('## Learn more'))

/** The shell blocks below `## Recipes`, by their headings. */
function recipes(): Recipe[] {
  return [...section.matchAll(/^### (.+)$[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)].map(([, title = '', script = '']) => ({
    title,
    script,
  }))
}

/** Every recipe after the line that all of them begin with, and all of them in one home. */
const [preparation = ''] = scriptsIn(section)
const alone = recipes().map(({title, script}) => ({title, script: preparation + script}))
const fromTopToBottom = {title: 'after recipe, from top to bottom', script: scriptsIn(section).join('')}

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

  for (const {title, script} of [...alone, fromTopToBottom]) {
    it(`runs recipe ${title}`, async () => {
      const {code, output} = await shell(script, sandbox.home, furnish(sandbox.home))
      expect(code, output).to.equal(0)
      expect(output).to.not.match(/^\s+at .+:\d+:\d+\)?$/m)
    })
  }
})
