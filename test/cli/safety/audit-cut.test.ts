import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {appendAudit, auditFile} from '../../../src/cli/safety/audit.js'
import {readAudit} from '../../../src/cli/safety/audit-chain.js'
import {Desk} from '../run.js'

/** A log that was cut is seen, whatever of it and of its head is left, and stays seen when lines are added. */

const entry = {phase: 'intent', profile: 'local', project: 'p', command: 'customers update', target: 'x'} as const

describe('cli · a cut audit log', () => {
  let desk: Desk
  let folder: string
  let head: string
  beforeEach(() => {
    desk = new Desk()
    folder = join(desk.folder, 'data', '_audit')
    for (let at = 0; at < 6; at += 1) appendAudit(folder, entry, at)
    head = readAudit(folder).head
  })
  afterEach(() => desk.remove())

  const verify = (...more: string[]) => desk.run(['audit', 'verify', '--json', ...more])
  const headFile = () => join(folder, 'audit.head')
  const cutTo = (count: number, end = '\n'): void => {
    const lines = readFileSync(auditFile(folder), 'utf8').trimEnd().split('\n').slice(0, count)
    writeFileSync(auditFile(folder), lines.length === 0 ? '' : `${lines.join('\n')}${end}`)
  }
  const ways: readonly (readonly [string, () => void])[] = [
    ['lines', () => cutTo(2)],
    ['lines and the end of the last one left', () => cutTo(2, '')],
    ['all lines', () => cutTo(0)],
    ['the file of the lines', () => rmSync(auditFile(folder))],
    ['its head', () => rmSync(headFile())],
    [
      'lines and its head',
      () => {
        cutTo(2)
        rmSync(headFile())
      },
    ],
    [
      'lines, and an empty head put in',
      () => {
        cutTo(2)
        writeFileSync(headFile(), '\n')
      },
    ],
  ]

  for (const [what, cut] of ways) {
    it(`that lost ${what} is broken, also after the next writes`, async () => {
      expect((await verify()).json).to.deep.equal({lines: 6, head})
      cut()
      for (let more = 0; more < 3; more += 1) {
        const {code, stdout} = await verify()
        expect(code, `after ${more} more lines`).to.equal(9)
        expect(stdout).to.include('AuditBroken')
        appendAudit(folder, entry, 10 + more)
      }
    })
  }

  it('that lost everything, head and all, is seen by who kept the last hash', async () => {
    expect((await verify('--head', head)).code).to.equal(0)
    rmSync(auditFile(folder))
    rmSync(headFile())
    expect((await verify()).code).to.equal(0)
    expect((await verify('--head', head)).code).to.equal(9)
    appendAudit(folder, entry, 9)
    expect((await verify('--head', head)).code).to.equal(9)
  })

  it('that was written anew is seen by who kept the last hash, and one that went on is whole', async () => {
    appendAudit(folder, entry, 7)
    expect((await verify('--head', head)).code).to.equal(0)
    rmSync(folder, {recursive: true})
    for (let at = 0; at < 7; at += 1) appendAudit(folder, {...entry, target: 'y'}, at)
    expect((await verify()).code).to.equal(0)
    expect((await verify('--head', head)).code).to.equal(9)
    expect((await verify('--head', 'nonsense')).code).to.equal(2)
  })

  it('is adopted by an explicit word only, which leaves a line and covers what is before it', async () => {
    rmSync(headFile())
    const refused = await verify()
    expect(refused.stdout).to.include('audit.head').and.include('--adopt')
    expect(existsSync(headFile())).to.equal(false)
    const adopted = await verify('--adopt')
    expect(adopted.json).to.include({lines: 7, adoptedAt: 7})
    expect(readAudit(folder).lines.at(-1)).to.include({phase: 'adoption', command: 'audit verify'})
    appendAudit(folder, entry, 8)
    expect((await verify()).json).to.include({lines: 8, adoptedAt: 7})
    expect((await desk.run(['audit', 'verify'])).stdout).to.include('before line 7 was adopted')
    const text = readFileSync(auditFile(folder), 'utf8')
    writeFileSync(auditFile(folder), text.replace('"target":"x"', '"target":"z"'))
    expect((await verify()).code).to.equal(9)
  })

  it('is not adopted where it is whole, nor where nothing is left', async () => {
    expect((await verify('--adopt')).json).to.deep.equal({lines: 6, head})
    cutTo(0)
    expect((await verify('--adopt')).code).to.equal(2)
  })
})
