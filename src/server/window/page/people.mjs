import {attempt, button, call, element, field, heading, jsonText, labelled, momentOf, table, terms} from './dom.mjs'

/** Customer Search in one box, and a customer as a whole. */

const shown = 20
const box = field('sought', 'Name, email, number, phone or id', {type: 'search', size: 30})
const found = element('div', {'aria-live': 'polite'})
const card = element('section', {'aria-label': 'Customer'})

const queryOf = (value) => ({
  or: [
    {exact: {field: 'email', value, caseInsensitive: true, boost: 10}},
    {prefix: {field: 'id', value: value.toLowerCase(), boost: 10}},
    {fullTextPrefix: {field: 'all', value, boost: 4}},
    {fuzzy: {field: 'all', value, level: 2}},
  ],
})

/** The customers of ids, in their order; one that was removed meanwhile is left out. */
async function listed(ids) {
  if (ids.length === 0) return []
  const query = new URLSearchParams({where: 'id in :ids', limit: String(shown), withTotal: 'false'})
  for (const id of ids) query.append('var.ids', id)
  const {results} = await call('GET', `/{project}/customers?${query}`)
  return ids.flatMap((id) => results.find((customer) => customer.id === id) ?? [])
}

/** The search that was begun last: an answer to an older one comes too late. */
let latest = 0

async function search() {
  latest += 1
  const turn = latest
  const text = box.value.trim()
  const sort = text === '' ? {sort: [{field: 'lastModifiedAt', order: 'desc'}]} : {}
  const query = text === '' ? {exists: {field: 'email'}} : queryOf(text)
  const {results, total} = await call('POST', '/{project}/customers/search', {query, limit: shown, ...sort})
  const customers = await listed(results.map(({id}) => id))
  if (turn !== latest) return
  const first = total > shown ? `, the first ${shown}` : ''
  found.replaceChildren(
    element('p', {class: 'soft'}, `${total} ${total === 1 ? 'customer' : 'customers'}${first}`),
    table(['Name', 'Email', 'Verified', 'Number', 'Stores'], customers.map(cellsOf)),
  )
}

const nameOf = ({firstName, lastName, companyName, email}) =>
  [firstName, lastName].filter(Boolean).join(' ') || companyName || email

const storesOf = ({stores}) => stores.map(({key}) => key).join(' ')

const verifiedOf = ({isEmailVerified}) => (isEmailVerified ? 'verified' : 'not verified')

function cellsOf(customer) {
  const opener = button(nameOf(customer), () => open(customer.id), {class: 'plain'})
  return [opener, customer.email, verifiedOf(customer), customer.customerNumber ?? '', storesOf(customer)]
}

const addressOf = ({streetName, streetNumber, postalCode, city, country}) =>
  [[streetName, streetNumber].filter(Boolean).join(' '), [postalCode, city].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')

/** Shows a customer: the card and raw JSON side by side, what happened, and how they get in. */
async function open(id) {
  const newest = {sort: 'createdAt desc', limit: '50', withTotal: 'false'}
  const messages = new URLSearchParams({where: 'resource(id = :id)', 'var.id': id, ...newest})
  const [customer, sessions, history] = await Promise.all([
    call('GET', `/{project}/customers/${id}`),
    call('GET', `/{project}/_frontdesk/customers/${id}/sessions`),
    call('GET', `/{project}/messages?${messages}`),
  ])
  const tokens = sessions.openTokens.map(({purpose, expiresAt}) => `${purpose} until ${momentOf(expiresAt)}`)
  const facts = terms([
    ['email', `${customer.email} (${verifiedOf(customer)})`],
    ['number', customer.customerNumber],
    ['key', customer.key],
    ['signs in', customer.authenticationMode === 'ExternalAuth' ? 'externally' : 'with a password'],
    ['sessions', `${sessions.sessions} open`],
    ['locked out', sessions.lockedUntil && `until ${momentOf(sessions.lockedUntil)}`],
    ['open tokens', tokens.join('; ') || 'none'],
    ['stores', storesOf(customer)],
    ['addresses', customer.addresses.map(addressOf).join('; ')],
    ['version', `${customer.version}, of ${momentOf(customer.lastModifiedAt)}`],
  ])
  const events = history.results.map(({createdAt, type, resourceVersion}) => [
    momentOf(createdAt),
    type,
    resourceVersion,
  ])
  const title = element('h2', {tabindex: -1}, nameOf(customer))
  const past =
    events.length > 0 ? table(['Time', 'Message', 'Version'], events) : element('p', {class: 'empty'}, 'none')
  const left = element('div', {}, facts, heading('History'), past)
  card.replaceChildren(title, element('div', {class: 'sides'}, left, jsonText(customer)))
  title.focus()
}

/** While somebody types; a key that follows soon begins it anew. */
const restMs = 150
let typing
box.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(attempt(search), restMs)
})

export function peoplePart() {
  void attempt(search)()
  return [
    element('form', {role: 'search', onsubmit: attempt(search)}, labelled(box), element('button', {}, 'Search')),
    card,
    found,
  ]
}
