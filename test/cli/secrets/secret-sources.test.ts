import {expect} from 'chai'
import {commandOutput} from '../../../src/cli/input/secret-sources.js'
import type {Failure} from '../../../src/cli/process/failure.js'

const refusedBy = (task: Promise<unknown>): Promise<Failure> =>
  task.then(
    () => Promise.reject(new Error('nothing was refused')),
    (error: unknown) => error as Failure,
  )

describe('cli · credential commands', () => {
  it('give their first line', async () => {
    expect(await commandOutput('printf "geheim\\nmore\\n"')).to.equal('geheim')
    expect(await commandOutput('printf "geheim\\r\\n"')).to.equal('geheim')
    expect(await commandOutput('true')).to.equal('')
  })

  it('fail with what they ended with, without what they printed', async () => {
    const {message, exitCode} = await refusedBy(commandOutput('echo geheim; exit 7'))
    expect([message, exitCode]).to.deep.equal(['The credential command failed: it ended with code 7.', 4])
  })

  it('are not waited for beyond their limit, whoever else holds the pipe', async () => {
    const {message, exitCode} = await refusedBy(commandOutput('sleep 20; echo geheim', 50))
    expect([message, exitCode]).to.deep.equal(['The credential command failed: it did not end within 0.05 seconds.', 4])
  })
})
