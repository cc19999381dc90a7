import axe from 'axe-core'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {rounds} from '../../rounds.js'
import {removeDirectories} from '../../store/directory.js'
import {Browser, hasBrowser, type Page} from './browser.js'

const long = 'W'.repeat(200)
const markup = '<script>document.title = 1</script>'
/** Turns what follows it around. */
const override = '\u202e'

describe('server · window · who reads it and where', () => {
  let server: RunningServer
  let browser: Browser
  let page: Page
  before(async function () {
    if (!hasBrowser) {
      console.warn('    There is no Chromium here: the tests of the window are skipped.')
      this.skip()
    }
    server = await startServer({projectKey: 'shop', keepBodies: true})
    await server.seed({
      customers: [
        {key: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'Longhand', isEmailVerified: true},
        {key: 'long', email: 'long@example.com', firstName: long, lastName: markup},
        {key: 'turned', email: 'turned@example.com', firstName: 'محمد', lastName: `${override}txt.exe`},
      ],
    })
    await ask('key=ada')
    await ask(`key=${long}`)
    await ask(`key=${encodeURIComponent(`${override}${markup}`)}`)
    await ask('password-token', {email: 'ada@example.com', ttlMinutes: 60})
    await ask('key=ada', {version: 7, actions: []})
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    removeDirectories()
  })
  beforeEach(async () => {
    page = await browser.page()
    await page.size(1280, 800)
    await page.goto(await server.windowUrl())
    await page.until(`document.querySelectorAll('tr[data-number]').length >= 5`)
  })
  afterEach(() => page?.send('Page.close'))

  const ask = async (path: string, body?: unknown) => {
    const authorization = `Bearer ${await server.tokenFor()}`
    const sent = body === undefined ? {} : {method: 'POST', body: JSON.stringify(body)}
    await fetch(`${server.apiUrl}/shop/customers/${path}`, {
      headers: {authorization, 'content-type': 'application/json'},
      ...sent,
    })
  }
  /** Each view of the page, opened. */
  const views: readonly (readonly [name: string, open: () => Promise<void>])[] = [
    ['requests', () => page.shows('was not found')],
    [
      'a refusal',
      async () => {
        await page.click('tr.refused button')
        await page.shows('refused by')
      },
    ],
    [
      'people',
      async () => {
        await page.click('a[href="#people"]')
        await page.shows('3 customers')
      },
    ],
    ...['Ada', long, 'محمد'].map(
      (name) =>
        [
          `the card of ${name.slice(0, 9)}`,
          async () => {
            await page.clickButton(name)
            await page.until(`document.querySelector('h2')?.innerText.includes(${JSON.stringify(name)})`)
          },
        ] as const,
    ),
    [
      'outbox',
      async () => {
        await page.click('a[href="#outbox"]')
        await page.shows('reset the password')
      },
    ],
    [
      'server',
      async () => {
        await page.click('a[href="#server"]')
        await page.shows('until it is deleted')
      },
    ],
    [
      'a notice',
      async () => {
        await page.fill('at', 'noon')
        await page.clickButton('Freeze')
        await page.until(`!document.querySelector('#notice').hidden`)
      },
    ],
  ]

  for (const width of [1280, 390]) {
    for (const scheme of rounds(1, 2) === 2 ? ['light', 'dark'] : [width === 390 ? 'dark' : 'light']) {
      it(`passes axe with one heading in every view, and nothing scrolls sideways, at ${width} pixels, ${scheme}`, async () => {
        await page.size(width, 844)
        await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]})
        await page.read(axe.source)
        for (const [name, open] of views) {
          await open()
          const found = `axe.run({resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then(({violations}) =>
            violations.map(({id, nodes}) => id + ': ' + nodes.map(({html}) => html).join(' ')))`
          expect(await page.read(found), name).to.deep.equal([])
          expect(await page.read(`document.querySelectorAll('h1').length`), name).to.equal(1)
          expect(await page.read('document.documentElement.scrollWidth'), name).to.be.at.most(width)
          const cut = `[...document.querySelectorAll('main :not(thead, thead *)')].filter(({scrollWidth, clientWidth, tagName}) =>
            clientWidth > 0 && scrollWidth > clientWidth + 1 && tagName !== 'INPUT').map(({outerHTML}) => outerHTML.slice(0, 90))`
          expect(await page.read(cut), name).to.deep.equal([])
        }
        expect(await page.read(`document.querySelectorAll('main script').length + document.title`)).to.equal(
          '0frontdesk · shop',
        )
      })
    }
  }

  it('shows rows as cards with their labels at 390 pixels, and as a table to a reader of the screen', async () => {
    await page.size(390, 844)
    await page.click('a[href="#people"]')
    await page.shows('3 customers')
    const label = `getComputedStyle(document.querySelector('td:nth-child(3)'), '::before').content`
    expect(await page.read(label)).to.match(/^"Verified"/)
    const {nodes} = (await page.send('Accessibility.getFullAXTree')) as {
      nodes: {role?: {value: string}; name?: {value: string}}[]
    }
    const named = (role: string) => nodes.flatMap((node) => (node.role?.value === role ? [node.name?.value ?? ''] : []))
    expect(named('columnheader')).to.deep.equal(['Name', 'Email', 'Verified', 'Number', 'Stores'])
    expect(named('row')).to.have.lengthOf(4)
    expect(named('cell')).to.include.members(['verified', 'not verified'])
  })

  it('spells out what would turn a text around', async () => {
    await page.click('a[href="#people"]')
    await page.clickButton('محمد')
    await page.shows('"lastName": "\\u202etxt.exe"')
    expect(await page.read('document.body.textContent')).to.not.include(override)
  })

  it('filters by method and status with the keyboard, and keeps the choice in the address', async () => {
    const shown = `[...document.querySelectorAll('tr[data-number]')].map(({cells}) => cells[1].innerText.split(' ')[0] + ' ' + cells[2].innerText)`
    const both = (first: string, second: string) => `(${shown}).join() === '${first},${second}'`
    await page.read(`document.querySelector('#method').focus()`)
    await page.press('P')
    await page.until(both('POST 409', 'POST 200'))
    await page.press('Tab', '4', '0', '9')
    await page.until(`(${shown}).join() === 'POST 409'`)
    expect(await page.read('location.search')).to.equal('?project=shop&method=POST&status=409')
    await page.read(`document.querySelector('#method').focus()`)
    await page.press('a')
    await page.until(`document.querySelector('#method').value === ''`)
    await page.press('Tab', 'r')
    await page.until(`(${shown}).join() === 'POST 409,GET 404,GET 404'`)
    await page.click('a[href="#server"]')
    await page.shows('until it is deleted')
    await page.click('a[href="#requests"]')
    await page.until(`document.querySelector('#status').value === 'refused'`)
    await page.send('Page.reload')
    await page.until(`(${shown}).join() === 'POST 409,GET 404,GET 404'`)
    expect(await page.read('location.search + location.hash')).to.equal('?project=shop&status=refused#requests')
    await page.goto(
      `${await page.read<string>('location.origin + location.pathname')}?method=GET&status=2xx&operation=none`,
    )
    await page.shows('No request matches the filter.')
    await page.fill('operation', '')
    await page.until(`(${shown}).join() === 'GET 200'`)
  })

  it('takes a filter from an address as a text', async () => {
    const address = await page.read<string>('location.origin + location.pathname')
    await page.goto(`${address}?method=${encodeURIComponent(`"><img src=x>${override}`)}&status=${long}`)
    await page.shows('No request matches the filter.')
    expect(await page.read(`document.querySelectorAll('img').length`)).to.equal(0)
  })

  it('draws requests and refusals over time, and says them in words', async () => {
    const said = `document.querySelector('svg[role=img]').getAttribute('aria-label')`
    const before =
      (await page.read<string>(said))
        .match(/(\d+) requests, (\d+) refused/)
        ?.slice(1)
        .map(Number) ?? []
    expect(before).to.deep.equal([5, 3])
    await ask('key=nobody')
    await page.until(`${said}.includes('6 requests, 4 refused')`)
    const heights = (name: string) =>
      page.read<number>(
        `[...document.querySelectorAll('rect.${name}')].reduce((sum, one) => sum + Number(one.getAttribute('height')), 0)`,
      )
    expect(await heights('bad')).to.be.within(1, (await heights('all')) - 1)
    await page.shows('4 refused')
  })
})
