import {button, call, element, jsonText, row, table, terms, timeOf} from './dom.mjs'

/** The last requests, the newest first; a row opens with all that the server knows of it. */

const most = 1_000
/** Rows that are drawn; older ones are asked for. */
const step = 100
let drawn = step
const requests = []

const body = element('tbody')
const refused = element('input', {type: 'checkbox', id: 'refused', onchange: show})
const names = ['client', 'customer', 'operation']
const filters = names.map((id) =>
  element('input', {id, size: 16, list: `${id}-list`, oninput: show, autocomplete: 'off'}),
)
const lists = names.map((name) => element('datalist', {id: `${name}-list`}))
const count = element('output', {class: 'soft'})
const older = button('Older requests', () => {
  drawn += step
  show()
})

const valuesOf = ({caller, operation}) => ({
  client: caller.clientId,
  customer: caller.customerId ?? caller.anonymousId,
  operation,
})

const isRefused = ({status}) => status >= 400 || status === 0

function isWanted(request) {
  if (refused.checked && !isRefused(request)) return false
  const values = valuesOf(request)
  return filters.every(({id, value}) => value === '' || (values[id] ?? '').includes(value.trim()))
}

const whoOf = ({caller: {kind, clientId, customerId, anonymousId, storeKey}}) =>
  `${kind === 'anonymous' ? 'visitor' : kind} ${(customerId ?? anonymousId ?? clientId ?? '').slice(0, 8)}${storeKey ? ` in ${storeKey}` : ''}`

const reasonOf = ({refusal, note}) => refusal?.why ?? refusal?.message ?? note ?? ''

function lineOf(request) {
  const opener = button(timeOf(request.at), () => toggle(request, line, opener), {
    class: 'plain',
    'aria-expanded': 'false',
  })
  const status = request.status === 0 ? 'ended' : String(request.status)
  const line = row([opener, `${request.method} ${request.path}`, status, whoOf(request), reasonOf(request)])
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
  line.after(element('tr', {class: 'details'}, element('td', {colspan: 5}, whole)))
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
    ['scopes held', caller.scopes.join(' ') || 'none'],
    ['took', `${durationMs} ms`],
    ['id', id],
    ['query', query],
    ['body', requestBody === undefined ? unkept : jsonText(requestBody)],
    ['answer', responseBody === undefined ? unkept : jsonText(responseBody)],
    ['again', element('code', {}, curlOf(request))],
  ])
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
  const wanted = requests.filter(isWanted)
  body.prepend(...last.filter(isWanted).slice(-drawn).reverse().map(lineOf))
  while (body.rows.length > drawn) body.lastElementChild.remove()
  older.hidden = wanted.length <= drawn
  count.value = `${wanted.length} of ${requests.length}`
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

/** The names to choose from are gathered when somebody comes to a filter. */
function gather() {
  for (const [at, name] of names.entries()) {
    const values = new Set(requests.map((request) => valuesOf(request)[name]).filter((value) => value !== undefined))
    lists[at].replaceChildren(...[...values].sort().map((value) => element('option', {value})))
  }
}

export function requestsPart() {
  const labels = filters.map((input) => element('label', {}, `${input.id} `, input))
  const whole = table(['Time', 'Request', 'Status', 'Who', 'Why, and what would have passed'], [])
  whole.className = 'requests'
  whole.tBodies[0].replaceWith(body)
  const form = element('form', {onsubmit: (event) => event.preventDefault(), onfocusin: gather}, [
    element('label', {}, refused, ' refused'),
    ...labels,
    ...lists,
    count,
  ])
  drawn = step
  show()
  return [form, whole, older]
}
