import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {newDirectory, removeDirectories} from '../../store/directory.js'
import {Browser, hasBrowser, type Page} from './browser.js'

describe('server · window · who is let in, in a browser', () => {
  let server: RunningServer
  let browser: Browser
  let page: Page
  before(async function () {
    if (!hasBrowser) {
      console.warn('    There is no Chromium here: the tests of the window are skipped.')
      this.skip()
    }
    server = await startServer({projectKey: 'shop'})
    browser = await Browser.launch()
    page = await browser.page()
    await page.goto(await server.windowUrl())
    await page.shows('● live')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    removeDirectories()
  })

  it('opens by a file, keeps its token to the tab, and takes the code out of the address', async () => {
    const file = join(newDirectory(), 'window.html')
    const url = await server.windowUrl()
    writeFileSync(file, `<script>location.replace(${JSON.stringify(url)})</script>`)
    const tab = await browser.page()
    await tab.goto(pathToFileURL(file).href)
    await tab.shows('● live')
    expect(await tab.read('location.href')).to.equal(url.replace(/#.*/, ''))
    await tab.read('document.body.id = "before", location.reload()')
    await tab.until('document.body.id !== "before"')
    await tab.shows('● live')
    await tab.send('Page.close')
    const beside = await browser.page()
    await beside.goto(url)
    await beside.shows('run frontdesk server open')
    expect(await beside.read('document.body.innerText')).to.not.include('● live')
    await beside.send('Page.close')
  })

  it('gives a page on another port of this host nothing: no cookie, and no answer to a script', async () => {
    const heard: string[] = []
    const neighbour = createServer((request, response) => {
      heard.push(request.headers.cookie ?? 'no cookie')
      response.setHeader('content-type', 'text/html').end('<p>next door</p>')
    })
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve))
    const {port} = neighbour.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/_frontdesk/window`)
    await page.shows('next door')
    expect(new Set(heard)).to.deep.equal(new Set(['no cookie']))
    expect(await page.read('sessionStorage.length')).to.equal(0)
    const asked = `fetch('${server.apiUrl}/_frontdesk/window/api/_admin/status').then(() => 'read', () => 'refused')`
    expect(await page.read(asked)).to.equal('refused')
    neighbour.closeAllConnections()
    await new Promise((resolve) => neighbour.close(resolve))
  })
})
