import {chmodSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {InputError} from '../../src/transfer/files/input-error.js'
import {importCustomers} from '../../src/transfer/import.js'
import {RunStopped} from '../../src/transfer/run/run-stopped.js'
import {openPasswordFile} from '../../src/transfer/write/new-passwords.js'
import {openResetLinks} from '../../src/transfer/write/reset-links.js'
import {quickRuntime, shop} from './desk.js'
import {failureOf, scratch} from './scratch.js'

const files = scratch()
const header = 'key,email,password\r\n'
const modeOf = (path: string): number => statSync(path).mode & 0o777
const add = async (path: string, resumed: boolean): Promise<string> => {
  const file = await openPasswordFile(path, resumed, quickRuntime())
  const password = await file.newPassword({key: 'ada', email: 'ada@x.de'})
  await file.close()
  return password
}
const refusal = (path: string, resumed: boolean) => failureOf(openPasswordFile(path, resumed, quickRuntime()))

describe('transfer · generated passwords', () => {
  it('go to a new file only, whatever stands in its place', async () => {
    const taken = files.write('taken.csv', header)
    const link = files.path('link.csv')
    symlinkSync(files.path('nothing.csv'), link)
    for (const path of [taken, link, files.dir, '/dev/full', '/nowhere/a.csv']) {
      expect(await refusal(path, false), path).to.be.instanceOf(InputError)
    }
    expect(files.read(taken)).to.equal(header)
  })

  it('go on in the file of the job that is resumed, and in no other', async () => {
    const path = files.path('mine.csv')
    const before = process.umask(0)
    const first = await add(path, false).finally(() => process.umask(before))
    expect(modeOf(path)).to.equal(0o600)
    chmodSync(path, 0o644)
    const second = await add(path, true)
    expect(modeOf(path)).to.equal(0o600)
    expect(files.read(path)).to.equal(`${header}ada,ada@x.de,${first}\r\nada,ada@x.de,${second}\r\n`)

    const notes = files.write('notes.txt', 'something of mine\n')
    const [link, modeOfNull] = [files.path('link-to-mine.csv'), modeOf('/dev/null')]
    symlinkSync(path, link)
    for (const other of [notes, link, '/dev/null']) {
      expect(await refusal(other, true), other).to.be.instanceOf(InputError)
    }
    expect(files.read(notes)).to.equal('something of mine\n')
    expect(modeOf('/dev/null')).to.equal(modeOfNull)
  })

  it('leave a file of something else as it was, its permissions too', async () => {
    const foreign = files.write('foreign.csv', 'a,b\r\n1,2\r\n')
    chmodSync(foreign, 0o644)
    for (const open of [refusal(foreign, true), failureOf(openResetLinks(foreign, true, {} as never))]) {
      expect(await open).to.be.instanceOf(InputError)
    }
    expect([files.read(foreign), modeOf(foreign)]).to.deep.equal(['a,b\r\n1,2\r\n', 0o644])
  })

  it('take the place of a line that a full disk cut', async () => {
    const path = files.path('cut.csv')
    writeFileSync(path, `${header}ada,ada@x.de,abc`)
    const password = await add(path, true)
    expect(files.read(path)).to.equal(`${header}ada,ada@x.de,${password}\r\n`)
  })
})

describe('transfer · generated passwords that cannot be kept', () => {
  const desk = shop()

  it('end the run before their customers exist, and the rest can be resumed', async () => {
    const rows = Array.from({length: 40}, (_, at) => `pw-${at},pw-${at}@x.de\n`).join('')
    const sources = await files.source('a.csv', `key,email\n${rows}`)
    const passwordFile = files.path('passwords.csv')
    const runtime = quickRuntime()
    let drawn = 0
    const full = {
      ...runtime,
      bytes: (count: number) => {
        if (count === 18) drawn += 1
        if (drawn > 20) throw Object.assign(new Error('no space left on device'), {code: 'ENOSPC'})
        return runtime.bytes(count)
      },
    }
    const options = {jobsDir: files.path('jobs'), target: 'test', passwordMode: 'generate', passwordFile} as const
    const stopped = await failureOf<RunStopped>(importCustomers(desk().client, sources, {...options, runtime: full}))
    expect(stopped).to.be.instanceOf(RunStopped)
    expect((await desk().customers()).length).to.equal(stopped.counts.created)
    expect(stopped.counts).to.include({failed: 0})
    expect(stopped.counts.created).to.be.at.most(20)

    const rest = await importCustomers(desk().client, sources, {...options, runtime, resume: true})
    expect(rest).to.include({read: 40, created: 40, failed: 0})
    const kept = new Set(files.read(passwordFile).match(/^pw-\d+/gm))
    expect(kept.size).to.equal(40)
  })
})
