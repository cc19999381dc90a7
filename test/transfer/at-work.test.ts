import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {StateError} from '../../src/domain/errors.js'
import {thisProcess} from '../../src/files/process-identity.js'
import {importCustomers} from '../../src/transfer/import.js'
import {claimRows} from '../../src/transfer/jobs/row-lock.js'
import {quickRuntime, shop} from './desk.js'
import {scratch} from './scratch.js'

describe('transfer · runs over one file', () => {
  const files = scratch()
  const desk = shop()
  const digest = 'a'.repeat(64)

  it('are refused beside one that is at work, and allowed when it has ended', async () => {
    const dir = files.path('jobs')
    const text = '{"key": "once-1", "email": "once-1@x.de", "authenticationMode": "ExternalAuth"}'
    const run = async (more: object = {}) =>
      importCustomers(desk().client, await files.source('a.jsonl', text), {
        ...{jobsDir: dir, target: 'test', runtime: quickRuntime()},
        ...more,
      })
    const [one, other] = await Promise.allSettled([run(), run({runtime: quickRuntime(2)})])
    const refused = [one, other].flatMap((ended) => (ended.status === 'rejected' ? [ended.reason as StateError] : []))
    expect(refused.map(({code}) => code)).to.deep.equal(['StateLocked'])
    expect(refused[0]?.message).to.include(`process ${process.pid}`)
    expect((await run({runtime: quickRuntime(3)})).unchanged).to.equal(1)
    expect(readdirSync(dir).filter((name) => name.endsWith('.lock'))).to.deep.equal([])
    const elsewhere = await Promise.all([
      run({runtime: quickRuntime(4)}),
      run({runtime: quickRuntime(5), target: 'another'}),
    ])
    expect(elsewhere.map(({unchanged}) => unchanged)).to.deep.equal([1, 1])
  })

  it('hold their rows until they end, and no others', () => {
    const dir = files.path('claims')
    const first = claimRows(dir, digest)
    expect(() => claimRows(dir, digest)).to.throw(StateError, /being written/)
    claimRows(dir, 'b'.repeat(64)).release()
    first.release()
    claimRows(dir, digest).release()
  })

  it('that were killed hold nothing', () => {
    const dir = files.path('killed')
    claimRows(dir, digest).release()
    const name = `rows-${digest.slice(0, 32)}.lock`
    const dead = {...thisProcess(), pid: 2 ** 22 + 1, nonce: 'dead'}
    writeFileSync(join(dir, name), JSON.stringify(dead), {mode: 0o600})
    const mine = claimRows(dir, digest)
    expect(readdirSync(dir)).to.deep.equal([name])
    mine.release()
  })
})
