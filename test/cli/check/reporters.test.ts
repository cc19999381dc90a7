import {expect} from 'chai'
import {reporterNames, reporters} from '../../../src/cli/check/reporters.js'
import {type Outcome, summaryOf} from '../../../src/cli/check/runner.js'

const hostile = 'a <b> & "c" #1: 50%,\u001b[31m\u202e\u0007\nnext\\'

describe('cli · check reporters', () => {
  const outcome = (result: Outcome['result'], name: string = result): Outcome => ({
    name,
    result,
    durationMs: 1234,
    failures: result === 'failed' || result === 'error' ? [`why ${hostile}`] : [],
  })
  const all = summaryOf('suite', {profile: 'staging', projectKey: 'shop', address: hostile}, [
    outcome('passed'),
    outcome('failed', hostile),
    outcome('error'),
    outcome('skipped'),
  ])
  const report = (name: (typeof reporterNames)[number]): string => reporters[name](all)

  it('counts each result', () => {
    expect(all).to.include({ok: false, passed: 1, failed: 1, errors: 1, skipped: 1, durationMs: 4936})
    expect(report('text')).to.include('suite: 1 passed, 1 failed, 1 without an answer, 1 skipped')
  })

  it('lets nothing through that a terminal or a display would obey', () => {
    for (const name of reporterNames) {
      expect(report(name), name).to.not.match(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    }
  })

  it('writes JSON that says what the text says', () => {
    expect(JSON.parse(report('json'))).to.have.nested.property('checks.1.failures.0', `why ${hostile}`)
  })

  it('writes JUnit with escaped texts and one verdict for each case', () => {
    const text = report('junit')
    expect(text).to.include('tests="4" failures="1" errors="1" skipped="1"')
    expect(text).to.include('name="a &lt;b&gt; &amp; &quot;c&quot; #1')
    expect(text.match(/<testcase /g)).to.have.length(4)
    expect(text.match(/<(failure|error|skipped)\b/g)).to.have.length(3)
  })

  it('writes TAP whose hashes begin no directive', () => {
    const lines = report('tap').split('\n')
    expect(lines[1]).to.match(/^# target: staging \(shop\) at a <b>/)
    expect([lines[0], ...lines.slice(2, 4)]).to.deep.equal(['TAP version 14', '1..4', 'ok 1 - passed'])
    expect(lines[4]).to.match(/^not ok 2 - a <b> & "c" \\#1/)
    expect(lines).to.include('ok 4 - skipped # SKIP')
  })

  it('writes workflow commands whose texts end in one line', () => {
    const [target = '', first = '', second, last, end] = report('github').split('\n')
    expect(target).to.match(/^target: staging \(shop\) at /)
    expect(first).to.match(/^::error title=a <b> & "c" #1%3A 50%25%2C.*::why /)
    expect(second).to.match(/^::error title=error::/)
    expect([last, end]).to.deep.equal(['suite: 1 passed, 1 failed, 1 without an answer, 1 skipped', ''])
  })
})
