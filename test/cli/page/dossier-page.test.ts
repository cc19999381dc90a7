import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {dossierPage} from '../../../src/cli/records/dossier-page.js'
import {browser, opened} from './browser.js'

const evil = `</script><script>document.title='x'</script><img src=x onerror="document.title='y'">"'&\u202e\u0007<style>`
const long = 'w'.repeat(300)
const createdAt = '2026-11-20T09:30:00.000Z'

const page = (name = 'Ada', label = 'Reads the newsletter') =>
  dossierPage(
    {
      customer: {
        id: '1',
        version: 2,
        createdAt,
        email: 'ada@example.com',
        firstName: name,
        isEmailVerified: true,
        addresses: [
          {id: 'a1', streetName: name, country: 'DE', custom: {type: {typeId: 'type', id: 't'}, fields: {floor: 4}}},
        ],
        defaultShippingAddressId: 'a1',
        shippingAddressIds: ['a1'],
        custom: {
          type: {typeId: 'type', id: 't'},
          fields: {newsletter: true, budget: {currencyCode: 'EUR', centAmount: 1250}},
        },
      } as never,
      audit: [
        {
          time: createdAt,
          phase: 'intent',
          command: 'customers update',
          operator: name,
          actions: ['setTitle'],
          ticket: 'CS-1',
        },
      ] as never,
      messages: [
        {id: 'm1', type: 'CustomerFirstNameSet', createdAt, resource: {typeId: 'customer', id: '1'}, firstName: name},
      ],
      carts: [
        {
          id: 'c1',
          createdAt,
          cartState: 'Active',
          lineItems: [{name: {en: name}, quantity: 2}],
          totalPrice: {currencyCode: 'JPY', centAmount: 800, fractionDigits: 0},
        },
      ],
      orders: [],
      notReadable: ['payments'],
      notServed: ['shoppingLists'],
    } as never,
    {labels: new Map([['newsletter', label]]), project: name, madeAt: Date.parse(createdAt)},
  )

const textOf = (html: string): string =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, '|')
    .replace(/[|\s]+/g, ' ')

describe('cli · dossier page', () => {
  it('says in words what is stored, what happened and what was not looked at', () => {
    const text = textOf(page())
    for (const part of [
      'email address ada@example.com',
      'email verified yes',
      'country DE',
      'floor 4',
      'used for default shipping, shipping',
      'Reads the newsletter yes budget 12.50 EUR',
      'cart state Active',
      '2 × Ada',
      '800 JPY',
      '2026-11-20 09:30:00 UTC first name set: Ada',
      'Ada with this tool, CS-1',
      'This access may not read: payments.',
      'The service has none of these: shopping lists.',
    ]) {
      expect(text).to.include(part)
    }
    expect(text).to.include('incomplete').and.not.include('Orders')
  })

  it('is no other page for what people wrote', () => {
    const html = page(evil, evil)
    expect(html).to.not.match(/<(?:script|img|style>.*<style)/)
    expect(html).to.include('&lt;/script&gt;').and.include("default-src 'none'")
    expect(html).to.not.match(/[\u202e\u0007]/)
  })

  it('prints, and is no wider than a phone, light and dark', async function () {
    if (!browser) this.skip()
    const dir = mkdtempSync(join(tmpdir(), 'frontdesk-dossier-'))
    try {
      const path = join(dir, 'ada.html')
      writeFileSync(path, page(evil, long))
      const pdf = join(dir, 'ada.pdf')
      await opened(path, `--print-to-pdf=${pdf}`)
      expect(statSync(pdf).size).to.be.greaterThan(10_000)
      const frame = page(`${evil}${long}`, long).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      const measure = `const w = document.querySelector('iframe').contentWindow, root = w.document.documentElement
        document.title = [root.scrollWidth, w.getComputedStyle(w.document.body).backgroundColor, w.document.title.slice(0, 1)].join()`
      writeFileSync(
        path,
        `<meta name="color-scheme" content="light dark"><iframe style="width:390px;height:800px;border:0" srcdoc="${frame}"></iframe><script>onload = () => {${measure}}</script>`,
      )
      const titleOf = async (...flags: string[]) =>
        /<title>(.*?)<\/title>/.exec(await opened(path, '--dump-dom', ...flags))?.[1]
      expect(await titleOf()).to.match(/^3[0-9]{2},rgb\(246, 247, 249\),/)
      expect(await titleOf('--blink-settings=preferredColorScheme=0')).to.match(/^3[0-9]{2},rgb\(20, 22, 26\),/)
    } finally {
      rmSync(dir, {recursive: true, force: true})
    }
  }).timeout(300_000)
})
