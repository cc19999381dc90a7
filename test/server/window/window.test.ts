import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {removeDirectories} from '../../store/directory.js'
import {Browser, hasBrowser, type Page} from './browser.js'
import {openShop} from './shop.js'

const password = 'an-invented-one'
const markup = '<img src=x onerror="document.title=1"><b>Bob</b>'

describe('server · window · in a browser', () => {
  let server: RunningServer
  let shop: Awaited<ReturnType<typeof openShop>>
  let browser: Browser
  let page: Page
  before(async function () {
    if (!hasBrowser) {
      console.warn('    There is no Chromium here: the tests of the window are skipped.')
      this.skip()
    }
    shop = await openShop(() => server)
    server = await startServer({projectKey: 'shop', keepBodies: true, resetLink: shop.resetLink})
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    await shop?.close()
    removeDirectories()
  })
  beforeEach(async () => {
    await server.reset()
    await server.seed({
      customers: [
        {
          id: 'a0000000-0000-4000-8000-000000000001',
          key: 'ada',
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Longhand',
          password,
        },
        {key: 'bob', email: 'bob@example.com', firstName: markup},
      ],
    })
    page = await browser.page()
    await page.size(1200, 620)
    await page.goto(await server.windowUrl())
    await page.shows('● live')
  })
  afterEach(() => page?.send('Page.close'))

  const ask = async (path: string, {token, body}: {token?: string; body?: unknown} = {}) => {
    const answer = await fetch(`${server.apiUrl}/shop${path}`, {
      headers: {authorization: `Bearer ${token ?? (await server.tokenFor())}`, 'content-type': 'application/json'},
      ...(body === undefined ? {} : {method: 'POST', body: JSON.stringify(body)}),
    })
    return {status: answer.status, body: (await answer.json()) as {value: string; count: number}}
  }
  const rows = (text: string) =>
    `[...document.querySelectorAll('tr[data-number]')].some((row) => row.innerText.includes(${JSON.stringify(text)}))`

  it('shows a request as it comes, and opens a refusal that says what would have passed', async () => {
    const token = await server.tokenFor('key=ada', {scopes: ['manage_my_quotes']})
    await ask('/customers', {token})
    await page.until(rows('/shop/customers'))
    await page.click('tr.refused button')
    await page.shows('view_customers:shop')
    await page.shows('None of the scopes of the token opens this path.')
    await page.shows("curl -X GET 'http://127.0.0.1")
    await ask('/customers/a0000000-0000-4000-8000-000000000001', {body: {version: 7, actions: []}})
    await page.until(rows('409'))
    await page.shows('current version is 1')
  })

  it('filters what was refused, and by operation', async () => {
    await ask('/customers/key=ada')
    await ask('/customers/key=nobody')
    await page.until(rows('key=nobody'))
    const choose = (value: string) =>
      page.read(
        `status.value = '${value}', status.dispatchEvent(new Event('change'))`.replaceAll(
          'status',
          `document.querySelector('#status')`,
        ),
      )
    await choose('refused')
    await page.until(`!${rows('key=ada')}`)
    await choose('')
    await page.until(rows('key=ada'))
    await page.fill('operation', 'queryMessages')
    await page.until(`document.querySelectorAll('tr[data-number]').length === 0`)
  })

  it('finds a person, and shows the card, the raw JSON and the history', async () => {
    await ask('/customers/key=ada', {body: {version: 1, actions: [{action: 'setTitle', title: 'Dr'}]}})
    await page.click('a[href="#people"]')
    await page.fill('sought', 'longh')
    await page.until(`document.querySelectorAll('tbody tr').length === 1`)
    await page.click('tbody tr button')
    await page.shows('CustomerTitleSet')
    await page.shows('ada@example.com (not verified)')
    await page.shows('"lastName": "Longhand"')
    const parts = `document.querySelectorAll('main [aria-label=Customer], main [aria-live=polite]')`
    expect(await page.read(`${parts}[0].ariaLabel`)).to.equal('Customer')
  })

  it('keeps markup in names as text', async () => {
    await page.click('a[href="#people"]')
    await page.shows(markup)
    await page.clickButton('Bob')
    await page.shows('bob@example.com (not verified)')
    expect(await page.read(`document.querySelectorAll('img, main b').length`)).to.equal(0)
    expect(await page.read('document.title')).to.equal('frontdesk · shop')
  })

  it('masks a reset link until it is clicked, and the shop finishes the reset', async () => {
    await page.click('a[href="#outbox"]')
    await page.shows('No reset')
    const made = await ask('/customers/password-token', {body: {email: 'ada@example.com', ttlMinutes: 1_440}})
    await page.shows('ada@example.com')
    expect(await page.read('document.body.innerText')).to.not.include(made.body.value)
    await page.click('td button')
    await page.until(`document.querySelector('td a')?.href.startsWith(${JSON.stringify(shop.origin)})`)
    await page.goto(await page.read<string>(`document.querySelector('td a').href`))
    await page.read(`document.querySelector('input').value = 'another-invented-one'; document.forms[0].submit()`)
    await page.shows('Your password is set.')
    const signedIn = await ask('/login', {body: {email: 'ada@example.com', password: 'another-invented-one'}})
    expect(signedIn.status).to.equal(200)
    await page.goto(await server.windowUrl())
    await page.click('a[href="#outbox"]')
    await page.shows('used or ended')
  })

  it('freezes the clock, injects a fault that explains itself, and empties the project', async () => {
    await page.click('a[href="#server"]')
    await page.fill('at', '2030-01-02T03:04:05Z')
    await page.clickButton('Freeze')
    await page.shows('2030-01-02 03:04:05 UTC (frozen)')
    expect(server.clock.now()).to.equal(Date.parse('2030-01-02T03:04:05Z'))
    server.clock.real()
    await page.fill('struck', 'getCustomerByKey')
    await page.fill('effect', '503')
    await page.clickButton('Add')
    await page.shows('operation getCustomerByKey, status 503: applied 0 times')
    expect((await ask('/customers/key=ada')).status).to.equal(503)
    await page.click('a[href="#requests"]')
    await page.shows('An injected fault')
    await page.click('a[href="#server"]')
    await page.read(`globalThis.confirm = () => true`)
    await page.clickButton('Empty')
    await page.until(`!document.body.innerText.includes('customer\\t2')`)
    server.faults.clear()
    expect((await ask('/customers')).body.count).to.equal(0)
  })

  it('is reached by the keyboard alone', async () => {
    await ask('/customers/key=nobody')
    await page.until(rows('key=nobody'))
    const focused = () => page.read<string>(`document.activeElement.id || document.activeElement.innerText`)
    const reach = async (wanted: string | RegExp) => {
      for (let count = 0; count < 60; count += 1) {
        const text = await focused()
        if (typeof wanted === 'string' ? text === wanted : wanted.test(text)) return
        await page.press('Tab')
      }
      throw new Error(`Tab never reaches ${wanted}`)
    }
    await reach(/^\d\d:\d\d:\d\d$/)
    await page.press('Enter')
    await page.shows('refused by')
    await page.press('Enter')
    await page.until(`!document.body.innerText.includes('refused by')`)
    await page.goto(await server.windowUrl())
    await page.shows('● live')
    await reach('Server')
    await page.press('Enter')
    await reach('at')
    await page.type('2031-01-01T00:00:00Z')
    await reach('Freeze')
    await page.press('Enter')
    await page.shows('2031-01-01 00:00:00 UTC (frozen)')
    server.clock.real()
  })

  it('can be read at 800 pixels, light and dark', async () => {
    await page.size(800, 600)
    await ask('/customers/key=nobody')
    for (const part of ['requests', 'people', 'outbox', 'server']) {
      await page.click(`a[href="#${part}"]`)
      expect(await page.read('document.documentElement.scrollWidth'), part).to.be.at.most(800)
    }
    const colour = () => page.read<string>('getComputedStyle(document.body).backgroundColor')
    const seen = new Set<string>()
    for (const value of ['light', 'dark']) {
      await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value}]})
      seen.add(await colour())
    }
    expect(seen.size).to.equal(2)
  })

  it('asks no other origin', async () => {
    for (const part of ['people', 'outbox', 'server', 'requests']) await page.click(`a[href="#${part}"]`)
    await page.click('a[href="#people"]')
    await page.shows('2 customers')
    expect(page.asked.length).to.be.greaterThan(8)
    expect(page.asked.filter((url) => !url.startsWith(`${server.apiUrl}/_frontdesk/window`))).to.deep.equal([])
  })

  it('says so when the server has gone, and goes on in the same tab with the next link', async () => {
    const port = Number(new URL(server.apiUrl).port)
    await server.stop()
    await page.shows('the server is gone')
    server = await startServer({projectKey: 'shop', port, keepBodies: true, resetLink: shop.resetLink})
    await page.shows('run frontdesk server open')
    await page.goto(await server.windowUrl())
    await page.shows('● live')
  })

  it('is what the pictures of the documents show, which FRONTDESK_PICTURES names a folder for', async () => {
    server.clock.freeze('2026-11-23T13:28:04Z')
    const mine = await server.tokenFor('key=ada', {scopes: ['manage_my_quotes']})
    await ask('/customers/key=ada')
    await ask('/login', {body: {email: 'ada@example.com', password}})
    await ask('/login', {body: {email: 'ada@example.com', password: 'mistyped'}})
    await ask('/customers/key=ada', {body: {version: 7, actions: [{action: 'setTitle', title: 'Dr'}]}})
    await ask('/me', {token: mine})
    await page.until(`document.querySelectorAll('tr[data-number]').length === 5`)
    await page.size(1000, 560)
    await page.click('tr.refused button')
    await page.shows('again')
    const folder = process.env['FRONTDESK_PICTURES']
    for (const scheme of ['light', 'dark']) {
      await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]})
      const {data} = await page.send('Page.captureScreenshot', {format: 'png'})
      const picture = Buffer.from(String(data), 'base64')
      expect(picture.length).to.be.within(10_000, 150_000)
      if (folder !== undefined) writeFileSync(join(folder, `window-${scheme}.png`), picture)
    }
  })
})
