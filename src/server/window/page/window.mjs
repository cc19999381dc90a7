import {attempt, call, element, enter, follow, Outside, project} from './dom.mjs'
import {outboxPart, refreshOutbox} from './outbox.mjs'
import {peoplePart} from './people.mjs'
import {count} from './plot.mjs'
import {add, clear, requestsPart} from './requests.mjs'
import {refreshServer, serverPart} from './server.mjs'

/** The page: one part at a time, and the requests as they come. */

const parts = {
  requests: {build: requestsPart},
  people: {build: peoplePart},
  outbox: {build: outboxPart, refresh: refreshOutbox},
  server: {build: serverPart, refresh: refreshServer},
}
const refreshMs = 1_000
const retryMs = 2_000

const main = document.querySelector('main')
const state = document.querySelector('#state')
const choice = document.querySelector('#project')

const current = () => (Object.hasOwn(parts, location.hash.slice(1)) ? location.hash.slice(1) : 'requests')

function show() {
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${current()}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  const {build, refresh} = parts[current()]
  const title = document.querySelector('nav [aria-current]').textContent
  main.replaceChildren(element('h1', {}, title), ...build())
  if (refresh) void attempt(refresh)()
}

function say(text, name) {
  state.value = text
  state.className = name
}

let stream
let refreshing

/** What a part shows is read again soon after something was asked of the server. */
function refreshSoon() {
  const {refresh} = parts[current()]
  if (!refresh || refreshing) return
  refreshing = setTimeout(() => {
    refreshing = undefined
    if (parts[current()].refresh === refresh) void attempt(refresh)()
  }, refreshMs)
}

async function followRequests() {
  stream?.abort()
  stream = new AbortController()
  const {signal} = stream
  clear()
  let isFresh = false
  try {
    await follow(signal, (requests) => {
      say('● live', 'live')
      count(requests, isFresh)
      add(requests)
      isFresh = true
      if (requests.length > 0) refreshSoon()
    })
    throw new Error('The server has ended.')
  } catch (error) {
    if (!signal.aborted) goneBy(error)
  }
}

function goneBy(error) {
  const isOutside = error instanceof Outside
  say(isOutside ? '○ closed: run frontdesk server open' : '○ the server is gone', 'gone')
  if (!isOutside) setTimeout(comeBack, retryMs)
}

/** Goes on where the server answers again; one that was started anew needs a new link. */
async function comeBack() {
  try {
    await call('GET', '/_admin/clock')
    void followRequests()
    show()
  } catch (error) {
    goneBy(error)
  }
}

async function start() {
  await enter()
  const {projects} = await call('GET', '/_admin/status')
  const keys = projects.map(({key}) => key)
  const asked = new URLSearchParams(location.search).get('project')
  project.key = keys.includes(asked) ? asked : (keys[0] ?? '')
  choice.replaceChildren(...keys.map((key) => element('option', {value: key, selected: key === project.key}, key)))
  document.title = `frontdesk · ${project.key}`
  void followRequests()
  show()
}

addEventListener('hashchange', () => (location.hash.startsWith('#code=') ? location.reload() : show()))
choice.addEventListener('change', () => {
  const query = new URLSearchParams(location.search)
  query.set('project', choice.value)
  location.search = query.toString()
})
await attempt(start)()
