import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type JobPage, jobPage} from '../../../src/cli/bulk/job-page.js'
import type {ShownJob} from '../../../src/cli/bulk/jobs.js'
import {html} from '../../../src/cli/output/html-page.js'
import {paceOf} from '../../../src/transfer/jobs/pace.js'
import {Desk} from '../run.js'
import {browser, opened} from './browser.js'

const evil = `</script><script>document.title='x'</script><img src=x onerror="document.title='y'">"'&\u202e\u0007<style>`
const start = Date.UTC(2026, 10, 20, 9, 30)
const pace = [
  {at: start, read: 0, starts: true as const},
  {at: start + 1000, read: 400},
  {at: start + 2000, read: 900},
  {at: start + 60_000, read: 900, starts: true as const},
  {at: start + 61_000, read: 1100},
  {at: start + 61_020, read: 1200},
]

const job = (over: Partial<ShownJob> = {}): ShownJob => ({
  id: '20261120-093000125-1a2b3c',
  state: 'finished',
  startedAt: new Date(start).toISOString(),
  project: 'shop',
  target: 'https://api.example.com',
  files: ['/home/ada/crm.csv'],
  counts: {read: 1200, created: 1000, updated: 100, unchanged: 40, skipped: 0, failed: 60},
  options: {},
  report: '/jobs/1.failed.csv',
  endedAt: new Date(start + 61_020).toISOString(),
  ...over,
})
const pageOf = (over: Partial<ShownJob> = {}, more: Partial<JobPage> = {}): string =>
  jobPage({job: job(over), pace, about: (...words) => ['frontdesk', ...words].join(' '), madeAt: start, ...more})

describe('cli · the page of a run', () => {
  it('has counts, causes, the pace, what stays to do and the commands for it', () => {
    const causes = [
      {
        code: 'DuplicateField',
        message: 'The email is taken.',
        rows: 60,
        first: [
          {file: 'a.csv', line: 7},
          {file: 'a.csv', line: 9},
        ],
        fix: 'Match by email.',
      },
    ]
    const page = pageOf({causes, moreCauses: 3}, {command: 'frontdesk customers import crm.csv'})
    for (const text of [
      'Finished, 60 failed',
      '1,200',
      'The email is taken.',
      'lines 7, 9, …',
      'Match by email.',
      '3 more causes',
      '397 rows per second',
      '/jobs/1.failed.csv',
      'frontdesk customers import crm.csv --retry-failed /jobs/1.failed.csv</pre>',
      'frontdesk undo 20261120-093000125-1a2b3c --dry-run',
      '2026-11-20 09:30:00 UTC',
      'crm.csv',
    ]) {
      expect(page).to.include(text)
    }
    const unfinished = pageOf({state: 'unfinished', report: null}, {command: "frontdesk customers import 'a b.csv'"})
    expect(unfinished).to.include('Not finished').and.include('import &apos;a b.csv&apos; --resume</pre>')
    const again = pageOf({state: 'unfinished'}, {command: 'frontdesk customers import a.csv --resume'})
    expect(again).to.include('a.csv --resume</pre>').and.not.include('--resume --resume')
    expect(pageOf({counts: {...job().counts, failed: 0}})).to.include('Nothing: every row')
  })

  it('loads nothing, runs nothing, and allows neither', () => {
    const page = pageOf()
    expect(page).to.include(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    )
    expect(page).to.not.match(/<script|<link|<iframe|<img|@import|url\(|\son\w+=|https?:\/\/(?!api\.example\.com)/i)
    expect(page).to.include('prefers-color-scheme:dark').and.include('@media print')
  })

  it('escapes whatever comes from data, and cuts what has no end', () => {
    const causes = [
      {
        code: evil,
        column: evil,
        message: evil,
        example: evil,
        rows: 60,
        first: [{file: 'a.csv', line: 7, customer: evil}],
        fix: evil,
      },
    ]
    const coverage = {rows: 1, fields: [{field: evil, rows: 1, distinct: 1, samples: [evil]}], ignored: [evil]}
    const page = pageOf(
      {causes, coverage, project: evil, target: evil, store: evil, files: [evil], report: evil, id: evil},
      {command: evil},
    )
    expect(page).to.not.match(/<script|<img|\u202e|\u0007/)
    expect(page.match(/<style>/g)).to.have.lengthOf(1)
    expect(pageOf({project: 'x'.repeat(1_000_000)}).length).to.be.lessThan(30_000)
    expect(html`<a title="${`" onclick="x`}">`.text).to.equal('<a title="&quot; onclick=&quot;x">')
  })

  it('says how joined files met the rows', () => {
    const counted = {rows: 3, joined: 2, customers: 4, customersJoined: 1, shared: 0, withoutValue: 0}
    const coverage = {rows: 4, fields: [], ignored: [], joins: [{file: 'b.csv', ...counted, lines: [7]}]}
    expect(pageOf({coverage})).to.include('b.csv: 2 of 3 rows belong to 1 of 4 customers')
  })

  it('is bounded, whatever the number of causes', () => {
    const causes = Array.from({length: 100}, (_, at) => ({
      code: 'X',
      message: `cause ${at}`,
      rows: 1,
      first: [{file: 'a.csv', line: at}],
    }))
    const page = pageOf({causes, moreCauses: 900})
    expect(page).to.include('cause 49').and.include('950 more causes').and.not.include('cause 50')
  })

  it('notes the pace every second, ever more seldom, and keeps few points', () => {
    let now = 0
    const noted = paceOf(() => now)
    const lines = [noted.start(0)]
    for (let row = 1; row <= 100_000; row += 1) {
      now += 160
      const line = noted.line(row)
      if (line) lines.push(line)
    }
    expect(lines.length).to.be.within(500, 1500)
    expect(noted.line(100_000, true)).to.deep.equal({pace: {at: now, read: 100_000}})
  })
})

describe('cli · --report FILE.html', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const path = (name: string): string => join(desk.folder, name)

  it('of an import and of jobs show is a private page; other names mean what they did', async () => {
    writeFileSync(path('a.csv'), 'key,email,customerGroup.key\npg-1,p1@x.de,none<b>\npg-2,p2@x.de,\n')
    const argv = [
      'customers',
      'import',
      path('a.csv'),
      '--password-mode',
      'external-auth',
      '--report',
      path('run.html'),
    ]
    const {json} = await desk.run([...argv, '--json'])
    const {job, report} = json as {job: string; report: string}
    expect(report).to.match(/\.failed\.csv$/)
    const page = readFileSync(path('run.html'), 'utf8')
    expect(page).to.include(job).and.include('none&lt;b&gt;').and.include(`--retry-failed ${report}</pre>`)
    expect(statSync(path('run.html')).mode & 0o777).to.equal(0o600)
    expect((await desk.run(['jobs', 'show', job, '--report', path('again.html')])).code).to.equal(0)
    expect(readFileSync(path('again.html'), 'utf8'))
      .to.include('Finished, 1 failed')
      .and.include('What 2 valid rows fill')
      .and.include('p1@x.de · p2@x.de')
    const shown = (await desk.run(['jobs', 'show', job, '--json'])).json as ShownJob
    const fields = shown.coverage?.fields ?? []
    expect(fields[0]).to.deep.equal({field: 'key', rows: 2, distinct: 2, samples: ['pg-1', 'pg-2']})
    expect(fields.map(({field, rows}) => `${field} ${rows}`)).to.include('customerGroup.key 1')
    const hidden = (await desk.run(['jobs', 'show', job, '--redact', '--json'])).json as ShownJob
    expect(hidden.coverage?.fields[0]).to.deep.equal({...fields[0], samples: ['p***', 'p***']})
    const redacted = await desk.run(['jobs', 'show', job, '--redact', '--report', path('masked.html')])
    expect(redacted.code).to.equal(0)
    expect(readFileSync(path('masked.html'), 'utf8'))
      .to.not.include('none&lt;b&gt;')
      .and.not.include('pg-1')
    const other = await desk.run(['jobs', 'show', job, '--report', path('again.csv')])
    expect([other.code, other.stderr.includes('.html')]).to.deep.equal([2, true])
  })
})

describe('cli · pages in a browser', () => {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-page-'))
  after(() => rmSync(dir, {recursive: true, force: true}))

  it('are laid out without a script of theirs or of their data', async function () {
    if (!browser) this.skip()
    const path = join(dir, 'run.html')
    writeFileSync(path, pageOf({files: [evil], project: evil}, {command: evil}))
    const dom = await opened(path, '--dump-dom')
    expect(dom).to.include('<h2>Next steps</h2>')
    expect(dom).to.match(/<title>Import of customers into &lt;\/script&gt;/)
    expect(dom).to.not.match(/<title>[xy]</)
    const pdf = join(dir, 'run.pdf')
    await opened(path, `--print-to-pdf=${pdf}`)
    expect(statSync(pdf).size).to.be.greaterThan(10_000)
  }).timeout(300_000)
})
