import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Desk, RunOptions} from '../run.js'
import {demoDesk, errorOf, hazel} from './harness.js'

describe('cli · quotes', () => {
  let desk: Desk
  before(async () => {
    desk = await demoDesk()
  })
  after(() => desk.remove())

  const quotes = (argv: readonly string[], options: RunOptions = {}) => desk.run(['quotes', ...argv], options)

  it('shows, lists and finds the quotes of a customer', async () => {
    const card = await quotes(['get', 'key=hazel-open', ...hazel])
    expect(card.stdout).to.include('2 × Tideline desk: 1233.10 EUR').and.include('2040.30 EUR').and.include('Pending')
    const one = await quotes(['get', 'key=hazel-open', ...hazel, '--json', '--expand', 'customer'])
    expect(one.json).to.have.nested.property('customer.obj.email', 'hazel.brandvold@example.com')
    const where = ['-w', 'quoteState = :state', '--var', 'state=Accepted', '-o', 'csv', '--fields', 'key']
    expect((await quotes(['query', ...hazel, ...where])).stdout).to.equal('key\r\nhazel-accepted\r\n')
    const all = await quotes(['query', ...hazel, '--all', '-o', 'ids'])
    expect(all.stdout.trim().split('\n')).to.have.length(9)
    expect((await quotes(['query', ...hazel, '--expect-count', '9'])).code).to.equal(0)
    const {stdout} = await quotes(['query', ...hazel], {terminal: true, columns: 80})
    const rows = stdout
      .replace(/\u001B\[\d*m/g, '')
      .split('\n')
      .filter((line) => /\bEUR\b|\bUSD\b/.test(line))
    expect(rows.map((row) => /\bpending\b/.test(row))).to.deep.equal([...Array(4).fill(true), ...Array(5).fill(false)])
    expect(stdout)
      .to.match(/hazel-expired.*RAN OUT/)
      .and.include('renegotiation')
      .and.not.include('…')
    const sorted = (await quotes(['query', ...hazel, '-s', 'quoteState', '-n', '1'])).stdout
    expect(sorted).to.include('hazel-accepted')
    expect((await quotes(['get', 'key=hazel-open', ...hazel, '--assert', 'quoteState = Accepted'])).code).to.equal(9)
  })

  it('tells what exists for the customer', async () => {
    expect(await quotes(['exists', 'key=hazel-open', ...hazel])).to.include({code: 0, stdout: 'exists\n'})
    expect((await quotes(['exists', 'key=haruka-yen', ...hazel, '--json'])).json).to.deep.equal({exists: false})
    expect((await quotes(['exists', '-w', 'quoteState = "Accepted"', ...hazel])).code).to.equal(0)
    expect((await quotes(['exists', '-w', 'businessUnit(key = "x")', ...hazel])).code).to.equal(3)
    expect((await quotes(['exists', ...hazel])).code).to.equal(2)
    expect((await quotes(['get', 'key=haruka-yen', ...hazel])).code).to.equal(3)
    expect((await quotes(['get', 'number=1', ...hazel])).code).to.equal(2)
  })

  it('shows the totals and asks before it accepts', async () => {
    const said = await quotes(['accept', 'key=hazel-expired', ...hazel], {answers: ['no']})
    expect(said.code).to.equal(2)
    expect(said.stderr).to.include('total 621.00 EUR').and.include('valid: RAN OUT ')
    expect((await quotes(['accept', 'key=hazel-expired', '-q', ...hazel], {answers: ['no']})).stderr).to.include(
      '621.00',
    )
    const silent = await quotes(['accept', 'key=hazel-expired', ...hazel])
    expect(silent.code).to.equal(12)
    expect(silent.stderr).to.include('Accept this quote for 621.00 EUR?').and.include('--yes')
    const plan = await quotes(['accept', 'key=hazel-expired', ...hazel, '--dry-run', '--json'])
    expect(plan.json).to.deep.include({
      dryRun: true,
      quoteState: 'Pending',
      to: 'Accepted',
      messages: ['QuoteStateChanged'],
    })
    const done = await quotes(['accept', 'key=hazel-expired', ...hazel], {answers: ['yes']})
    expect(done).to.include({code: 0, stdout: 'accepted hazel-expired: Accepted, version 1 → 2\n'})
    expect(done.stderr).to.include('target: local (demo)')
  })

  it('ends with code 5 and the current state if the quote was answered before', async () => {
    const again = await quotes(['decline', 'key=hazel-withdrawn', ...hazel, '--yes', '--json'])
    expect(again.code).to.equal(5)
    expect(errorOf(again).message).to.include('Withdrawn, at version 2')
    expect(errorOf(again).details[0]).to.include({quoteState: 'Withdrawn', version: 2})
    const stale = await quotes(['decline', 'key=hazel-open', ...hazel, '--yes', '--json', '--version', '7'])
    expect(stale.code).to.equal(5)
    expect(errorOf(stale)).to.include({code: 'ConcurrentModification'})
    expect(errorOf(stale).details[0]).to.include({quoteState: 'Pending', version: 1})
  })

  it('declines, and asks for another offer with a comment from a file', async () => {
    const comment = join(desk.folder, 'comment.txt')
    writeFileSync(comment, 'Ten per cent,\nplease.\n')
    const argv = ['renegotiate', 'key=hazel-second-round', ...hazel, '--comment', `@${comment}`, '--json']
    const {json, code} = await quotes(argv)
    expect(code).to.equal(0)
    expect(json).to.include({quoteState: 'DeclinedForRenegotiation', buyerComment: 'Ten per cent,\nplease.'})
    const declined = await quotes(['decline', 'key=haruka-yen', '--as', 'haruka@kumo.example', '-y'])
    expect(declined.stdout).to.include('declined haruka-yen: Declined')
  })

  it('asks for the comment of a renegotiation, and takes none of it for granted elsewhere', async () => {
    await desk.run('server seed --quote-for key=zofia-lecka --cart zofia-to-quote --quote-key r-one'.split(' '))
    await desk.run('server seed --quote-for key=zofia-lecka --cart zofia-to-quote --quote-key r-two'.split(' '))
    const renegotiate = (key: string, options: RunOptions = {}, ...more: string[]) =>
      desk.run(['quotes', 'renegotiate', `key=${key}`, '--as', 'key=zofia-lecka', ...more], options)
    const piped = await renegotiate('r-one')
    expect(piped.code).to.equal(2)
    expect(piped.stderr).to.include('--comment TEXT')
    const refused = await renegotiate('r-one', {answers: ['', 'no']})
    expect(refused.code, refused.stderr).to.equal(2)
    const asked = await renegotiate('r-one', {answers: ['Less, please.']}, '--json')
    expect(asked.code, asked.stderr).to.equal(0)
    expect(asked.json).to.include({quoteState: 'DeclinedForRenegotiation', buyerComment: 'Less, please.'})
    expect(asked.stderr).to.include('quote r-one')
    expect((await renegotiate('r-two', {}, '--yes')).code).to.equal(0)
  })

  it('changes custom fields, and nothing that a customer may not change', async () => {
    const update = (...argv: string[]) => quotes(['update', 'key=hazel-open', ...hazel, ...argv])
    const done = await update('--set', 'custom.reason=Moved', '--unset', 'custom.deliverBy')
    expect(done.stdout).to.include('version 1 → 3').and.include('custom.fields.reason: "New studio" → "Moved"')
    expect((await update('--set', 'custom.reason=Moved')).stdout).to.match(/^unchanged /)
    expect((await update('--set', 'custom.nothing=1')).code).to.equal(6)
    expect((await update('--set', 'totalPrice=1')).code).to.equal(6)
    expect((await update('--action', '{"action":"changeQuoteState"}')).code).to.equal(6)
    expect((await update()).code).to.equal(2)
    const plan = await update('--set', 'custom.reason=Later', '--dry-run', '--json')
    expect(plan.json).to.deep.include({
      version: 3,
      actions: [{action: 'setCustomField', name: 'reason', value: 'Later'}],
    })
  })

  it('names the permission that a business unit withholds', async () => {
    const argv = ['accept', 'key=petra-may-not-accept', '--as', 'key=petra-vance', '-y', '--json']
    const refused = await quotes(argv)
    expect(refused.code).to.equal(4)
    expect(errorOf(refused).code).to.equal('AssociateMissingPermission')
    expect(errorOf(refused).message).to.include("Needs 'AcceptMyQuotes'")
  })
})
