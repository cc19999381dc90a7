import {readdirSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../../cli/run.js'

/** A person whose words stand nowhere else. The key is none of them: the audit log names whom a command was about by it. */
const person = {
  email: 'wrenfold@example.com',
  firstName: 'Quillfeather',
  companyName: 'Canaryworks',
  street: 'Larkspurlane',
  email2: 'later-wrenfold@example.com',
}
const words = [...Object.values(person), 'wrenfold', 'WRENFOLD', 'quillfeather', 'canaryworks', 'larkspurlane']

describe('e2e · the bytes of an erased person', () => {
  const desk = new Desk()
  after(() => desk.remove())

  /** The files of the machine that have a word of the person. */
  function filesWithPerson(): string[] {
    const files = readdirSync(desk.folder, {recursive: true, withFileTypes: true}).filter((one) => one.isFile())
    expect(files.length).to.be.greaterThan(5)
    const paths = files.map(({parentPath, name}) => join(parentPath, name))
    const found = paths.filter((path) => {
      const bytes = readFileSync(path)
      return words.some((word) => bytes.includes(word)) || words.some((word) => path.includes(word))
    })
    return found.map((path) => relative(desk.folder, path)).sort()
  }

  async function done(...argv: string[]): Promise<string> {
    const {code, stdout, stderr} = await desk.run(argv)
    expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(0)
    return stdout
  }

  it('stand nowhere on the machine once the erasure has ended', async () => {
    const {email, firstName, companyName, street, email2} = person
    const create = ['customers', 'create', '--external-auth']
    const id = (await done(...create, '--email', email, '--key', '4711', '--first-name', firstName, '-o', 'ids')).trim()
    await done(...create, '--email', 'other@example.com', '--key', 'other')
    // A hint has what a joined file has; the files of later holders stand beside.
    await done('server', 'compact')
    await done('customers', 'update', id, '--set', `companyName=${companyName}`)
    await done('customers', 'update', id, '--add-address', JSON.stringify({country: 'DE', streetName: street}))
    await done('customers', 'update', id, '--set', `email=${email2}`)
    await done('customers', 'find', 'quillfeath')
    const before = filesWithPerson()
    expect(before.some((path) => path.endsWith('.hint'))).to.equal(true)
    expect(before.filter((path) => /documents\.\d+\.jsonl$/.test(path)).length).to.be.greaterThan(1)

    await done('customers', 'delete', id, '--erase-personal-data', '--yes')
    expect(filesWithPerson()).to.deep.equal([])
    expect(await done('customers', 'query', '-o', 'ids')).to.not.include(id)
    expect(JSON.parse(await done('customers', 'get', 'key=other', '--json'))).to.include({email: 'other@example.com'})
    const names = readdirSync(join(desk.folder, 'data', 'local'))
    expect(names.filter((name) => name.endsWith('.jsonl'))).to.have.length(1)
  })

  it('that were replaced alone stand in the files of the state until a compaction', async () => {
    const inState = (): string[] => filesWithPerson().filter((path) => path.startsWith(join('data', 'local')))
    await done('customers', 'update', 'key=other', '--set', `salutation=${person.companyName}`)
    await done('customers', 'update', 'key=other', '--set', 'salutation=Dr.')
    expect(inState()).to.not.deep.equal([])
    await done('server', 'compact')
    expect(inState()).to.deep.equal([])
  })
})
