import {chmodSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {processIo} from '../../src/cli/io.js'
import {localProfile} from '../../src/cli/profiles.js'
import {asCustomer} from '../../src/cli/quotes/identity.js'
import {moneyText} from '../../src/cli/render/money.js'
import {type RunningServer, startServer} from '../../src/server/start.js'
import {Desk, type Ended, type RunOptions} from './run.js'

const hazel = ['--as', 'key=hazel-brandvold']

/** A desk with the demo as its local project. */
async function demoDesk(): Promise<Desk> {
  const desk = new Desk()
  desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
  const {code, stderr} = await desk.run(['server', 'seed', 'fixtures/demo'])
  expect(code, stderr).to.equal(0)
  return desk
}

const errorOf = ({
  json,
}: Ended): {code: string; message: string; exitCode: number; details: object[]; hints: string[]} =>
  (json as {error: never}).error

describe('cli · money', () => {
  it('has the digits of its own currency and no others', () => {
    const money = (centAmount: number, fractionDigits: number, currencyCode = 'EUR') => ({
      type: 'centPrecision',
      currencyCode,
      centAmount,
      fractionDigits,
    })
    expect(moneyText(money(204030, 2))).to.equal('2040.30 EUR')
    expect(moneyText(money(12000, 0, 'JPY'))).to.equal('12000 JPY')
    expect(moneyText(money(1, 3, 'KWD'))).to.equal('0.001 KWD')
    expect(moneyText(money(-5, 2))).to.equal('-0.05 EUR')
    expect(moneyText({...money(1235, 5), type: 'highPrecision', preciseAmount: 123456})).to.equal('1.23456 EUR')
    expect(moneyText(undefined)).to.equal('')
  })
})

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
    expect(said.stderr).to.include('total 621.00 EUR').and.include('(has run out)')
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

describe('cli · server seed --quote-for', () => {
  let desk: Desk
  before(async () => {
    desk = await demoDesk()
  })
  after(() => desk.remove())

  const seed = (...argv: string[]) => desk.run(['server', 'seed', ...argv])
  const zofia = ['--quote-for', 'key=zofia-lecka', '--cart', 'zofia-to-quote']

  it('makes a pending quote that the customer can accept', async () => {
    const plan = await seed(...zofia, '--dry-run')
    expect(plan.stdout).to.equal('would make a quote for key=zofia-lecka from the cart zofia-to-quote\n')
    const made = await seed(...zofia, '--quote-key', 'spring-order')
    expect(made.stdout).to.match(/^quote spring-order: Pending, \d+\.\d\d [A-Z]{3}\n$/)
    const accepted = await desk.run(['quotes', 'accept', 'key=spring-order', '--as', 'key=zofia-lecka', '-y', '--json'])
    expect(accepted.json).to.include({quoteState: 'Accepted', version: 2})
    const unnamed = await seed(...zofia, '--json')
    expect(unnamed.json).to.have.nested.property('quote.quoteState', 'Pending')
  })

  it('makes none of what is not there, not theirs, not clear, or half said', async () => {
    const codes = []
    for (const argv of [
      ['--quote-for', 'key=nobody', '--cart', 'zofia-to-quote'],
      ['--quote-for', 'key=zofia-lecka', '--cart', 'no-cart'],
      ['--quote-for', 'key=zofia-lecka', '--cart', 'hazel-current'],
      ['--quote-for', 'mira.solheim@example.org', '--cart', 'mira-berlin'],
      [...zofia, '--quote-key', 'hazel-open'],
      [...zofia, '--quote-key', 'a b'],
      ['--quote-for', 'key=zofia-lecka'],
      [...zofia, '--project-key', 'nowhere'],
    ]) {
      codes.push((await seed(...argv)).code)
    }
    expect(codes).to.deep.equal([3, 3, 6, 5, 5, 6, 2, 3])
  })
})

describe('cli · quotes · who speaks', () => {
  let desk: Desk
  before(async () => {
    desk = await demoDesk()
  })
  after(() => desk.remove())

  const get = (...argv: string[]) => desk.run(['quotes', 'get', 'key=hazel-open', '--json', ...argv])
  const issue = (...argv: string[]) => desk.run(['token', 'issue', ...argv], {stdin: 'demo-only-hazel\n'})
  const password = ['--flow', 'password', '--email', 'hazel.brandvold@example.com', '--password-stdin']

  it('needs a customer, and says how to name one', async () => {
    const nobody = await get()
    expect(nobody.code).to.equal(4)
    expect(errorOf(nobody).hints.join(' ')).to.include('--as-session').and.include('--customer-token-file')
    expect((await get('--as', 'key=a1', '--as-session', 'b')).code).to.equal(2)
    expect((await get('--as', 'key=nobody')).code).to.equal(3)
  })

  it('takes a saved session of a customer, and says what another one lacks', async () => {
    expect((await issue(...password, '--scope', 'manage_my_quotes', '--save', 'hazel')).code).to.equal(0)
    expect((await get('--as-session', 'hazel')).json).to.include({key: 'hazel-open'})
    await issue('--flow', 'client', '--save', 'client')
    const client = await get('--as-session', 'client')
    expect(client.code).to.equal(4)
    expect(errorOf(client).message).to.include('no customer_id').and.include('client flow')
    await issue(...password, '--scope', 'manage_my_profile', '--save', 'profile')
    const narrow = await get('--as-session', 'profile')
    expect(narrow.code).to.equal(4)
    expect(errorOf(narrow).message).to.include('lacks the scope manage_my_quotes')
    expect((await get('--as-session', 'none')).code).to.equal(4)
    await desk.run(['token', 'revoke', '--saved', 'hazel'])
    expect((await get('--as-session', 'hazel')).code).to.equal(4)
  })

  it('takes a token from a file that nobody else can read, and says what it lacks', async () => {
    const tokenIn = async (name: string, ...argv: string[]): Promise<string> => {
      const file = join(desk.folder, name)
      writeFileSync(file, (await issue('--print', 'raw', ...argv)).stdout, {mode: 0o600})
      return file
    }
    const mine = await tokenIn('hazel.token', ...password)
    expect((await get('--customer-token-file', mine)).json).to.include({key: 'hazel-open'})
    chmodSync(mine, 0o644)
    expect((await get('--customer-token-file', mine)).code).to.equal(13)
    const client = await get('--customer-token-file', await tokenIn('client.token', '--flow', 'client'))
    expect(client.code).to.equal(4)
    expect(errorOf(client).message).to.equal('The token has no customer_id: it is not bound to a customer.')
    const narrow = await tokenIn('narrow.token', ...password, '--scope', 'manage_my_orders')
    expect(errorOf(await get('--customer-token-file', narrow)).message).to.include('manage_my_quotes')
    const token = readFileSync(mine, 'utf8').trim()
    const fromEnvironment = await desk.run(['quotes', 'exists', 'key=hazel-open'], {env: {FRONTDESK_TOKEN: token}})
    expect(fromEnvironment.code).to.equal(0)
  })

  it('needs the store of a store’s customer', async () => {
    const mira = (...argv: string[]) => desk.run(['quotes', 'exists', 'key=mira-berlin', '--json', ...argv])
    const nowhere = await mira('--as', 'key=mira-berlin')
    expect([nowhere.code, errorOf(nowhere).code]).to.deep.equal([4, 'StoreNeeded'])
    const both = await mira('--as', 'mira.solheim@example.org')
    expect([both.code, errorOf(both).code]).to.deep.equal([5, 'ReferenceAmbiguous'])
    expect((await mira('--as', 'mira.solheim@example.org', '--store', 'berlin')).code).to.equal(0)
    expect((await mira('--as', 'mira.solheim@example.org', '--store', 'london')).code).to.equal(3)
  })

  it('replaces a token that it issued before that ends, and no sooner', async () => {
    let now = Date.now()
    const flags = {as: 'key=hazel-brandvold'}
    const target = {kind: 'embedded', projectKey: 'demo', dataDir: desk.env['FRONTDESK_DATA_DIR'] ?? ''} as const
    const resolved = {target, label: 'local', profile: localProfile, origins: new Map()}
    const identity = asCustomer({flags, io: {...processIo, clock: () => now}, cache: desk.folder, resolved})
    const first = await identity.ready()
    now += 8 * 60_000
    expect(await identity.ready()).to.equal(first)
    now += 60_000
    expect(await identity.ready()).to.not.equal(first)
  })

  it('speaks for nobody on a remote target', async () => {
    const env = {FRONTDESK_API_URL: 'http://127.0.0.1:9', FRONTDESK_CLIENT_ID: 'a', FRONTDESK_CLIENT_SECRET: 'b'}
    const {code, stderr} = await desk.run(['quotes', 'get', 'key=hazel-open', ...hazel], {env})
    expect(code).to.equal(2)
    expect(stderr).to.include('local target only')
  })
})

/** The same with each command opening the state by itself, and with all of them talking to a server that holds it. */
for (const place of ['embedded', 'server'] as const) {
  describe(`cli · quotes · several at once (${place})`, () => {
    let desk: Desk
    let server: RunningServer | undefined
    before(async () => {
      desk = await demoDesk()
      const dataDir = desk.env['FRONTDESK_DATA_DIR'] ?? ''
      if (place === 'server') server = await startServer({dataDir, projectKey: 'demo', settings: {passwordCost: 4}})
    })
    after(async () => {
      await server?.stop()
      desk.remove()
    })

    const quotes = (...argv: string[]) => desk.run(['quotes', ...argv, ...hazel, '--json'])

    it('one of two answers wins; the other ends with code 5 and the state that came of it', async () => {
      const [accepted, declined] = await Promise.all([
        quotes('accept', 'key=hazel-open', '--yes'),
        quotes('decline', 'key=hazel-open', '--yes'),
      ])
      const [won, lost] = accepted.code === 0 ? [accepted, declined] : [declined, accepted]
      expect([won.code, lost.code], lost.stdout).to.deep.equal([0, 5])
      const {quoteState} = won.json as {quoteState: string}
      expect(quoteState).to.equal(won === accepted ? 'Accepted' : 'Declined')
      expect(errorOf(lost).code).to.be.oneOf(['ConcurrentModification', 'InvalidOperation'])
      expect(errorOf(lost).details[0]).to.include({quoteState, version: 2})
    })

    it('a wait ends with 0 when somebody else accepts, and with 11 when nobody does', async () => {
      const waiting = quotes('wait', 'key=hazel-second-round', '--state', 'Accepted', '--timeout', '20s')
      const [waited, accepted] = await Promise.all([waiting, quotes('accept', 'key=hazel-second-round', '--yes')])
      expect(accepted.code).to.equal(0)
      expect(waited.code, waited.stdout).to.equal(0)
      expect(waited.json).to.include({quoteState: 'Accepted', version: 2})
      const late = await quotes('wait', 'key=hazel-declined', '--state', 'Accepted', '--timeout', '250ms')
      expect(late.code).to.equal(11)
      expect(errorOf(late).message).to.include('still Declined')
      expect(errorOf(late).details[0]).to.include({quoteState: 'Declined'})
      expect((await quotes('wait', 'key=none', '--state', 'Accepted', '--timeout', '1s')).code).to.equal(3)
      expect((await quotes('wait', 'key=hazel-declined', '--state', 'Nonsense')).code).to.equal(2)
    })
  })
}
