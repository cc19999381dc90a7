import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('docs · publication', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-publication-'))
    mkdirSync(join(folder, 'bin'))
    for (const name of ['bin/publication.mjs', 'package.json']) copyFileSync(join(root, name), join(folder, name))
    writeFileSync(join(folder, 'SECURITY.md'), 'Write to **SECURITY_CONTACT_PLACEHOLDER**.')
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
  /** Fills in a constant, whatever it holds. */
  const fill = (name: string, value: string): void => {
    const file = join(folder, 'bin/publication.mjs')
    const text = textOf('bin/publication.mjs')
    const filled = text.replace(new RegExp(`^const ${name} = '.*'$`, 'm'), `const ${name} = '${value}'`)
    writeFileSync(file, filled)
  }
  const publication = () => {
    const {status, stderr} = spawnSync(process.execPath, ['bin/publication.mjs'], {cwd: folder, encoding: 'utf8'})
    return {status, stderr}
  }

  it('is refused while nobody said where the sources are and who is told of a fault', () => {
    fill('REPOSITORY', '')
    fill('SECURITY_CONTACT', '')
    const {status, stderr} = publication()
    expect(status).to.equal(1)
    expect(stderr).to.contain('REPOSITORY').and.contain('SECURITY_CONTACT')
  })

  it('is refused until what was filled in stands where it is read', () => {
    fill('REPOSITORY', 'https://example.com/shop/frontdesk')
    fill('SECURITY_CONTACT', 'security@example.com')
    expect(publication().status).to.equal(1)
    expect(JSON.parse(textOf('package.json'))).to.deep.include({
      repository: {type: 'git', url: 'git+https://example.com/shop/frontdesk.git'},
      homepage: 'https://example.com/shop/frontdesk#readme',
      bugs: {url: 'https://example.com/shop/frontdesk/issues'},
    })
    expect(textOf('SECURITY.md')).to.equal('Write to **security@example.com**.')
    expect(publication()).to.deep.equal({status: 0, stderr: ''})
  })
})
