import fs from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {appendAudit, auditFile} from '../../../src/cli/safety/audit.js'
import {readAudit} from '../../../src/cli/safety/audit-chain.js'
import {newDirectory, removeDirectories} from '../../store/directory.js'

const entry = {phase: 'intent', profile: 'local', project: 'p', command: 'customers update', target: 'x'} as const

/** Log and head as they were at a moment. */
type Image = readonly [log: string, head: string]

describe('cli · the audit log after a power cut', () => {
  after(removeDirectories)

  const headFile = (folder: string) => join(folder, 'audit.head')
  const imageOf = (folder: string): Image => [
    fs.readFileSync(auditFile(folder), 'utf8'),
    fs.readFileSync(headFile(folder), 'utf8'),
  ]

  /** What the disk had to hold at each flush of an entry, from before it to its end. */
  function flushesOf(folder: string): Image[] {
    const images = [imageOf(folder)]
    const {fsyncSync} = fs
    fs.fsyncSync = (file) => {
      fsyncSync(file)
      images.push(imageOf(folder))
    }
    try {
      appendAudit(folder, entry, 1)
    } finally {
      fs.fsyncSync = fsyncSync
    }
    return [...images, imageOf(folder)]
  }

  it('is whole, whatever of the work between two flushes reached the disk, and goes on', () => {
    const folder = join(newDirectory(), 'audit')
    appendAudit(folder, entry, 0)
    const images = flushesOf(folder)
    expect(images.length - 2, 'flushes').to.equal(3)
    for (const [at, [log, head]] of images.entries()) {
      const [nextLog, nextHead] = images[at + 1] ?? [log, head]
      const cut = nextLog.slice(0, log.length + Math.ceil((nextLog.length - log.length) / 2))
      for (const [leftLog, leftHead] of [log, cut, nextLog].flatMap((one) =>
        [head, nextHead].map((two) => [one, two] as const),
      )) {
        fs.writeFileSync(auditFile(folder), leftLog)
        fs.writeFileSync(headFile(folder), leftHead)
        const isCut = leftLog !== '' && !leftLog.endsWith('\n')
        const told = JSON.stringify({at, leftLog, leftHead})
        expect(readAudit(folder).broken.length, told).to.equal(isCut ? 1 : 0)
        appendAudit(folder, entry, 2)
        expect(readAudit(folder).broken.length, `${told}, and one more`).to.equal(isCut ? 1 : 0)
      }
    }
  })

  it('vouches for its last line alone once that is written', () => {
    const folder = join(newDirectory(), 'audit')
    for (let at = 0; at < 2; at += 1) appendAudit(folder, entry, at)
    const [log, head] = imageOf(folder)
    expect(head).to.equal(readAudit(folder).head)
    fs.writeFileSync(auditFile(folder), `${log.trimEnd().split('\n')[0]}\n`)
    expect(readAudit(folder).broken).to.deep.equal([1])
  })
})
