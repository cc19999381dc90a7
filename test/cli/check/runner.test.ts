import {expect} from 'chai'
import {CheckFailed, type CheckStep, type RunOptions, runSteps} from '../../../src/cli/check/runner.js'

describe('cli · check runner', () => {
  const ran: string[] = []
  beforeEach(() => ran.splice(0))

  const step = (name: string, outcome?: string | readonly string[] | Error): CheckStep<string> => [
    name,
    async (on, fail) => {
      ran.push(`${name} on ${on}`)
      if (outcome instanceof Error) throw outcome
      if (typeof outcome === 'string') return outcome
      for (const why of outcome ?? []) fail(why)
      return undefined
    },
  ]
  const resultsOf = async (steps: readonly CheckStep<string>[], options?: RunOptions) => {
    const {checks, error} = await runSteps(steps, 'it', options)
    return {results: checks.map(({name, result}) => `${name} ${result}`), error, checks}
  }

  it('runs steps in order and keeps what each has to tell', async () => {
    const {checks, error} = await resultsOf([step('a'), step('b', 'good'), step('c', ['x.', 'y.'])])
    expect(ran).to.deep.equal(['a on it', 'b on it', 'c on it'])
    expect(error).to.equal(undefined)
    const told = checks.map(({result, detail, failures}) => [result, detail, failures])
    expect(told).to.deep.equal([
      ['passed', undefined, []],
      ['passed', 'good', []],
      ['failed', undefined, ['x.', 'y.']],
    ])
  })

  it('goes on after a step that is false, unless it is to stop there', async () => {
    const steps = [step('a', new CheckFailed('No.')), step('b')]
    expect((await resultsOf(steps)).results).to.deep.equal(['a failed', 'b passed'])
    const {results, error} = await resultsOf(steps, {stopsAtFailure: true})
    expect(results).to.deep.equal(['a failed', 'b skipped'])
    expect(error).to.equal(undefined)
    expect(ran).to.have.lengthOf(3)
  })

  it('ends with what a step throws, and skips the rest', async () => {
    const thrown = new Error('gone')
    const {results, error} = await resultsOf([step('a'), step('b', thrown), step('c')])
    expect(results).to.deep.equal(['a passed', 'b error', 'c skipped'])
    expect(error).to.equal(thrown)
  })

  it('asks the judge what an exception means, and whether it was the first step', async () => {
    const asked: boolean[] = []
    const judge: RunOptions['judge'] = (thrown, isFirst) => {
      asked.push(isFirst)
      return {failures: [String(thrown)], ...(isFirst ? {} : {error: thrown})}
    }
    const steps = [
      step('a', new Error('one')),
      step('b', new CheckFailed('No.')),
      step('c', new Error('two')),
      step('d'),
    ]
    const {results} = await resultsOf(steps, {judge})
    expect(results).to.deep.equal(['a failed', 'b failed', 'c error', 'd skipped'])
    expect(asked).to.deep.equal([true, false])
  })
})
