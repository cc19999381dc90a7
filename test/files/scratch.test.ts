import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {expect} from 'chai'
import {thisProcess} from '../../src/files/process-identity.js'
import {removeAbandonedScratch, removeScratch, scratchFolder, temporaryBeside} from '../../src/files/scratch.js'

describe('files · scratch', () => {
  const before = process.env['TMPDIR']
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    process.env['TMPDIR'] = folder
  })
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, {recursive: true})
  })

  const left = (name: string, owner?: string) => {
    const path = join(folder, `frontdesk-scratch-${name}`)
    mkdirSync(path)
    if (owner !== undefined) writeFileSync(join(path, 'owner.json'), owner)
    return path
  }

  it('has folders for their owner only, below one for the process', () => {
    const [one, other] = [scratchFolder('rows'), scratchFolder('rows')]
    expect(one).to.not.equal(other)
    expect(dirname(one)).to.equal(dirname(other))
    for (const path of [one, dirname(one)]) expect(statSync(path).mode & 0o077).to.equal(0)
    removeScratch(one)
    removeScratch(other)
  })

  it('removes the folders of processes that have ended, and no other', () => {
    const alive = thisProcess()
    left('dead', JSON.stringify({...alive, startTime: '1'}))
    left('alive', JSON.stringify(alive))
    left('elsewhere', JSON.stringify({...alive, bootId: 'other', host: 'other'}))
    left('beginning')
    utimesSync(left('damaged', 'x'), 0, 0)
    mkdirSync(join(folder, 'somebody'))
    removeAbandonedScratch()
    expect(readdirSync(folder).sort()).to.deep.equal([
      'frontdesk-scratch-alive',
      'frontdesk-scratch-beginning',
      'frontdesk-scratch-elsewhere',
      'somebody',
    ])
  })

  it('removes the files under construction that such processes noted, and nothing else that a note names', () => {
    const alive = JSON.stringify(thisProcess())
    const part = (name: string) => join(folder, `${name}.csv.0123456789ab.part`)
    const noted = (owner: string, path: string) => {
      mkdirSync(join(owner, 'beside-1'))
      writeFileSync(join(owner, 'beside-1', 'path'), path)
      if (!existsSync(path)) writeFileSync(path, 'x')
    }
    const dead = JSON.stringify({...thisProcess(), startTime: '1'})
    noted(left('dead', dead), part('killed'))
    noted(left('strange', dead), join(folder, 'letters.csv'))
    noted(left('alive', alive), part('running'))
    symlinkSync(join(folder, 'letters.csv'), part('link'))
    noted(left('linked', dead), part('link'))
    removeAbandonedScratch()
    expect(readdirSync(folder).filter((name) => !name.startsWith('frontdesk'))).to.have.members([
      'letters.csv',
      'link.csv.0123456789ab.part',
      'running.csv.0123456789ab.part',
    ])
  })

  it('names a file under construction for as long as it is written', () => {
    const one = temporaryBeside(join(folder, 'customers.csv'))
    writeFileSync(one.path, 'x')
    const other = scratchFolder('rows')
    const notes = () => readdirSync(dirname(other)).filter((name) => name.startsWith('beside-'))
    expect([dirname(one.path), notes().length]).to.deep.equal([folder, 1])
    one.release()
    expect([existsSync(one.path), notes()]).to.deep.equal([false, []])
    removeScratch(other)
  })
})
