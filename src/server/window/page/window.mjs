import {attempt, call, element, Outside, project} from './dom.mjs'
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
  main.replaceChildren(...build())
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

function follow() {
  stream?.close()
  clear()
  let isFresh = false
  const opened = new EventSource(`/_frontdesk/window/events?project=${encodeURIComponent(project.key)}`)
  stream = opened
  opened.onmessage = ({data}) => {
    const requests = JSON.parse(data)
    add(requests)
    count(requests, isFresh)
    refreshSoon()
  }
  opened.onopen = () => {
    say('● live', 'live')
    setTimeout(() => {
      isFresh = true
    })
  }
  opened.onerror = () => {
    opened.close()
    say('○ the server is gone', 'gone')
    setTimeout(comeBack, retryMs)
  }
}

/** Goes on where the server answers again; one that was started anew needs a new link, which any page may open. */
async function comeBack() {
  try {
    await call('GET', '/_admin/clock')
    follow()
    show()
  } catch (error) {
    if (error instanceof Outside) say('○ started again: run frontdesk server open', 'gone')
    setTimeout(error instanceof Outside ? reloadIfLetIn : comeBack, retryMs)
  }
}

async function reloadIfLetIn() {
  const answer = await fetch(location.pathname).catch(() => undefined)
  if (answer?.ok) location.reload()
  else setTimeout(reloadIfLetIn, retryMs)
}

async function start() {
  const {projects} = await call('GET', '/_admin/status')
  const keys = projects.map(({key}) => key)
  const asked = new URLSearchParams(location.search).get('project')
  project.key = keys.includes(asked) ? asked : (keys[0] ?? '')
  choice.replaceChildren(...keys.map((key) => element('option', {value: key, selected: key === project.key}, key)))
  document.title = `frontdesk · ${project.key}`
  follow()
  show()
}

addEventListener('hashchange', show)
choice.addEventListener('change', () => {
  location.search = new URLSearchParams({project: choice.value}).toString()
})
await attempt(start)()
