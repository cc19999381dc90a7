import {expect} from 'chai'
import {formats, reportText} from '../../src/cli/deprecations/forms.js'
import {startCheck} from '../../src/deprecations/check/check.js'
import type {Finding, Report} from '../../src/deprecations/check/finding.js'

const hostilePath = 'a b/<é>"&\'\u001b[31m\n::error::%:,\u202e\ud800.json'

const read = {files: 1, entries: 1}

/** Findings whose path and message hold everything that some reader might obey. */
const hostile = async (): Promise<Report> => {
  const text = '{"action": "setSKU"}\n{"destination": {"type": "IronMQ"}}'
  const {findings} = await startCheck().text({path: hostilePath, text, kind: 'jsonl'})
  const notes = [{path: hostilePath, line: 3, message: 'odd\u0007\r\nnews & <more> % ]]>'}]
  return {
    findings: findings.map((finding): Finding => ({...finding, message: `${finding.message}\n100 %`})),
    notes,
    read,
  }
}

const empty: Report = {findings: [], notes: [], read}

/** What no terminal, log or XML reader should meet raw; line feeds end lines. */
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/

describe('deprecations · reports', () => {
  it('spells out what a terminal would obey in every form', async () => {
    const report = await hostile()
    for (const format of formats) {
      expect(reportText(report, format, '1.2.3'), format).not.to.match(raw)
      expect(reportText(report, format, '1.2.3'), format).to.match(/\n$/)
    }
  })

  it('shows findings under their file, and sums up', async () => {
    const {findings} = await startCheck().text({path: 'a.json', text: '{"anonymousCartId": "1", "email": ""}'})
    expect(
      reportText({findings, notes: [{path: 'b', message: 'binary'}], read: {files: 2, entries: 14}}, 'text', '1'),
    ).to.equal(
      [
        'a.json',
        '  1:2      warning  anonymousCartId: anonymousCartId in CustomerDraft and CustomerSignIn (Customers), ' +
          'deprecated since 2021-01-12. Alternative: anonymousCart.  customers-anonymous-cart-id',
        '',
        'note: b: binary',
        '2 files with 14 entries read, 1 finding: 0 errors (removed), 1 warning',
        '',
      ].join('\n'),
    )
    expect(reportText(empty, 'text', '1')).to.equal('1 file read, 0 findings\n')
    const url = {...empty, read: {files: 0, entries: 1}}
    expect(reportText(url, 'text', '1')).to.equal('1 entry read, 0 findings\n')
  })

  it('shows a note with its line in every form', () => {
    const notes = [{path: 'b.jsonl', line: 37, message: 'not JSON: value expected'}]
    for (const format of formats) {
      const shown = reportText({findings: [], notes, read}, format, '1')
      expect(shown, format).to.include('not JSON: value expected').and.to.include('37')
    }
  })

  it('is one JSON document with counts', async () => {
    const document = JSON.parse(reportText(await hostile(), 'json', '1'))
    expect(document).to.include({count: 2, errors: 2, warnings: 0})
    expect(document.results[1]).to.include({
      path: hostilePath,
      line: 2,
      ruleId: 'subscriptions-queue-destination',
      severity: 'error',
      date: '2023-01-12',
    })
    expect(document.notes).to.have.length(1)
    expect(JSON.parse(reportText(empty, 'json', '1'))).to.deep.equal({
      count: 0,
      errors: 0,
      warnings: 0,
      read,
      results: [],
      notes: [],
    })
  })

  it('is SARIF 2.1.0 with rules, regions and fingerprints', async () => {
    const {version, runs} = JSON.parse(reportText(await hostile(), 'sarif', '1.2.3'))
    const [run] = runs
    expect(version).to.equal('2.1.0')
    expect(run.tool.driver).to.include({version: '1.2.3'})
    expect(run.results).to.have.length(2)
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).to.equal(result.ruleId)
      expect(['error', 'warning']).to.include(result.level)
      const {artifactLocation, region} = result.locations[0].physicalLocation
      expect(artifactLocation.uri).to.match(/^[\w.%/~()!*'-]+$/)
      expect(decodeURIComponent(artifactLocation.uri)).to.equal(hostilePath.toWellFormed())
      expect(region.startLine).to.be.greaterThan(0)
      expect(result.partialFingerprints['frontdesk/v1']).to.match(/^[\da-f]{16}$/)
    }
    expect(JSON.parse(reportText(empty, 'sarif', '1')).runs[0].results).to.deep.equal([])
  })

  it('is one workflow command per line for GitHub, which no text breaks out of', async () => {
    const lines = reportText(await hostile(), 'github', '1')
      .trimEnd()
      .split('\n')
    expect(lines).to.have.length(4)
    const command = /^::(warning|error|notice) file=[^,:\n]+,line=\d+(,col=\d+,title=[^,:\n]+)?::/
    for (const line of lines.slice(0, 3)) expect(line).to.match(command)
    expect(lines[0]).to.include('%0A100 %25').and.to.include('%0A%3A%3Aerror%3A%3A%25%3A%2C')
    expect(lines[3]).to.equal('1 file read, 2 findings: 2 errors (removed), 0 warnings')
  })

  it('is JUnit XML with a case for each finding, or a passed one', async () => {
    const xml = reportText(await hostile(), 'junit', '1')
    expect(xml).to.match(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="2" failures="2" errors="0">/)
    expect(xml.match(/<testcase /g)).to.have.length(2)
    expect(xml.match(/<failure /g)).to.have.length(2)
    const outside = xml.replaceAll(/<\/?[\w?][^<>]*>/g, '')
    expect(outside).not.to.match(/[<>"']|&(?!(amp|lt|gt|quot|apos|#10);)/)
    expect(reportText(empty, 'junit', '1')).to.include('tests="1" failures="0"')
  })
})
