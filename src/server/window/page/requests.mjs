import {button, call, element, field, jsonText, labelled, row, table, terms, timeOf} from './dom.mjs'
import {isRefused, plot} from './plot.mjs'

/** The last requests, the newest first; a row opens with all that the server knows of it. */

const most = 1_000
/** Rows that are drawn; older ones are asked for. */
const step = 100
let drawn = step
const requests = []

const head = ['Time', 'Request', 'Status', 'Who', 'Why, and what would have passed']
const body = element('tbody', {role: 'rowgroup'})
const drawing = element('div')
const none = element('p', {class: 'empty'})
const count = element('output', {class: 'soft'})
const older = button('Older requests', () => {
  drawn += step
  show()
})

/** What the address names first. */
const inAddress = (id) => new URLSearchParams(location.search).get(id) ?? ''
const selects = ['method', 'status'].map((id) => element('select', {id, 'aria-label': id, onchange: choose}))
const inputs = ['client', 'customer', 'operation'].map((id) =>
  field(id, id, {size: 10, list: `${id}-list`, oninput: choose, autocomplete: 'off', value: inAddress(id)}),
)
const lists = inputs.map(({id}) => element('datalist', {id: `${id}-list`}))
const filters = [...selects, ...inputs]

/** The values of a request by filter; undefined where it has none. */
const valuesOf = (request) => ({
  method: [request.method],
  status: [...(isRefused(request) ? ['refused'] : []), statusOf(request).replace(/\d\d$/, 'xx'), statusOf(request)],
  client: [request.caller.clientId],
  customer: [request.caller.customerId ?? request.caller.anonymousId],
  operation: [request.operation],
})

const statusOf = ({status}) => (status === 0 ? 'ended' : String(status))

function isWanted(request) {
  const values = valuesOf(request)
  return filters.every(({id, value, options}) => {
    const sought = value.trim()
    return sought === '' || values[id].some((one) => (options ? one === sought : one?.includes(sought)))
  })
}

/** Keeps what is chosen in the address, so that it outlives the page and can be sent to somebody. */
function choose() {
  const query = new URLSearchParams(location.search)
  for (const {id, value} of filters) {
    if (value.trim() === '') query.delete(id)
    else query.set(id, value.trim())
  }
  history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`)
  show()
}

const whoOf = ({caller: {kind, clientId, customerId, anonymousId, storeKey}}) =>
  `${kind === 'anonymous' ? 'visitor' : kind} ${(customerId ?? anonymousId ?? clientId ?? '').slice(0, 8)}${storeKey ? ` in ${storeKey}` : ''}`

const reasonOf = ({refusal, note}) => refusal?.why ?? refusal?.message ?? note ?? ''

function lineOf(request) {
  const opener = button(timeOf(request.at), () => toggle(request, line, opener), {
    class: 'plain',
    'aria-expanded': 'false',
  })
  const asked = `${request.method} ${request.path}`
  const line = row(head, [opener, asked, statusOf(request), whoOf(request), reasonOf(request)])
  line.dataset.number = request.number
  line.className = isRefused(request) ? 'refused' : ''
  return line
}

async function toggle({number}, line, opener) {
  const isOpen = opener.getAttribute('aria-expanded') === 'true'
  opener.setAttribute('aria-expanded', String(!isOpen))
  if (isOpen) return line.nextElementSibling.remove()
  const {requests: found, keepsBodies} = await call('POST', '/_admin/requests', {id: String(number)})
  const request = found.find((one) => one.number === number)
  const whole = request ? detailsOf(request, keepsBodies) : 'The server does not remember it any more.'
  line.after(element('tr', {class: 'details', role: 'row'}, element('td', {colspan: 5, role: 'cell'}, whole)))
}

function detailsOf(request, keepsBodies) {
  const {refusal, caller, operation, query, requestBody, responseBody, durationMs, id} = request
  const unkept = keepsBodies ? undefined : 'not kept: server start --keep-bodies keeps them'
  return terms([
    ['refused by', refusal && `the check of ${refusal.check} (${refusal.code})`],
    ['why', refusal && reasonOf(request)],
    ['scopes asked', refusal?.needs?.join(' or ')],
    ['answered', refusal?.message],
    ['operation', operation ?? 'none has this path'],
    ['scopes held', scopesOf(caller)],
    ['took', `${durationMs} ms`],
    ['id', id],
    ['query', query],
    ['body', requestBody === undefined ? unkept : jsonText(requestBody)],
    ['answer', responseBody === undefined ? unkept : jsonText(responseBody)],
    ['again', element('code', {}, curlOf(request))],
  ])
}

/** A few scopes are named; more stand behind their number. */
function scopesOf({scopes}) {
  if (scopes.length <= 12) return scopes.join(' ') || 'none'
  return element('details', {}, element('summary', {}, String(scopes.length)), scopes.join(' '))
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** A line for a shell that repeats the request; its secrets have to be filled in. */
function curlOf({method, path, query, requestBody, operation, caller}) {
  const url = `${location.origin}${path}${query ? `?${query}` : ''}`
  const credentials =
    caller.kind === 'client' && path.startsWith('/oauth/')
      ? ['-u "$CLIENT_ID:$CLIENT_SECRET"']
      : ['-H "authorization: Bearer $TOKEN"']
  const isForm = operation !== undefined && path.startsWith('/oauth/')
  const text = isForm && requestBody ? new URLSearchParams(requestBody).toString() : JSON.stringify(requestBody)
  const sent =
    requestBody === undefined ? [] : [...(isForm ? [] : ["-H 'content-type: application/json'"]), `-d ${quoted(text)}`]
  return ['curl', `-X ${method}`, quoted(url), ...credentials, ...sent].join(' ')
}

function show() {
  body.replaceChildren()
  draw(requests)
}

/** Draws those of the last requests that are wanted, the newest first, above what is drawn; the oldest go. */
function draw(last) {
  const found = requests.filter(isWanted)
  body.prepend(...last.filter(isWanted).slice(-drawn).reverse().map(lineOf))
  while (body.rows.length > drawn) body.lastElementChild.remove()
  older.hidden = found.length <= drawn
  count.value = `${found.length} of ${requests.length}`
  none.hidden = found.length > 0
  none.textContent = requests.length === 0 ? 'No request since the server started.' : 'No request matches the filter.'
  gather()
  drawing.replaceChildren(...plot(requests))
}

/** Takes new requests in; the oldest are forgotten. */
export function add(fresh) {
  requests.push(...fresh)
  requests.splice(0, requests.length - most)
  draw(fresh)
}

export function clear() {
  requests.length = 0
  show()
}

/** Offers the values that the requests have; a list that somebody is in stays as it is. */
function gather() {
  for (const [at, control] of filters.entries()) {
    if (control === document.activeElement) continue
    const chosen = inAddress(control.id)
    const first = control.options ? ['', ...(control.id === 'status' ? ['refused'] : []), chosen] : []
    const values = requests.flatMap((request) => valuesOf(request)[control.id]).filter(Boolean)
    const offered = [...new Set([...first, ...values.sort()])]
    const options = offered.map((value) => element('option', {value, selected: value === chosen}, value || 'any'))
    ;[...selects, ...lists][at].replaceChildren(...options)
  }
}

export function requestsPart() {
  const whole = table(head, [], body)
  whole.className = 'requests'
  const form = element('form', {'aria-label': 'Filter', onsubmit: (event) => event.preventDefault()})
  form.append(...filters.map(labelled), ...lists, count)
  drawn = step
  show()
  return [form, drawing, whole, none, older]
}
