import {attempt, call, element, jsonText, momentOf, table, terms} from './dom.mjs'

/** Customer Search in one box, and a customer as a whole. */

const shown = 20
const box = element('input', {id: 'sought', type: 'search', size: 40, 'aria-label': 'Name, email, number, phone or id'})
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

const listed = (ids) => {
  const query = new URLSearchParams({where: 'id in :ids', limit: String(shown), withTotal: 'false'})
  for (const id of ids) query.append('var.ids', id)
  return call('GET', `/{project}/customers?${query}`)
}

async function search() {
  const text = box.value.trim()
  const sort = text === '' ? {sort: [{field: 'lastModifiedAt', order: 'desc'}]} : {}
  const query = text === '' ? {exists: {field: 'email'}} : queryOf(text)
  const {results, total} = await call('POST', '/{project}/customers/search', {query, limit: shown, ...sort})
  const customers = results.length === 0 ? [] : (await listed(results.map(({id}) => id))).results
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const rows = results.flatMap(({id}) => (byId.has(id) ? [rowOf(byId.get(id))] : []))
  const head = ['Name', 'Email', 'Number', 'Stores'].map((name) => element('th', {scope: 'col'}, name))
  found.replaceChildren(
    element(
      'p',
      {class: 'soft'},
      `${total} ${total === 1 ? 'customer' : 'customers'}${total > shown ? `, the first ${shown}` : ''}`,
    ),
    table(head, rows),
  )
}

const nameOf = ({firstName, lastName, companyName, email}) =>
  [firstName, lastName].filter(Boolean).join(' ') || companyName || email

const rowOf = (customer) =>
  element(
    'tr',
    {},
    element(
      'td',
      {},
      element('button', {class: 'plain', type: 'button', onclick: attempt(() => open(customer.id))}, nameOf(customer)),
    ),
    element('td', {}, customer.email),
    element('td', {}, customer.customerNumber ?? ''),
    element('td', {}, customer.stores.map(({key}) => key).join(' ')),
  )

const addressOf = ({streetName, streetNumber, postalCode, city, country}) =>
  [[streetName, streetNumber].filter(Boolean).join(' '), [postalCode, city].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')

/** Shows a customer: the card and raw JSON side by side, what happened, and how they get in. */
export async function open(id) {
  const messages = new URLSearchParams({
    where: 'resource(id = :id)',
    'var.id': id,
    sort: 'createdAt desc',
    limit: '50',
    withTotal: 'false',
  })
  const [customer, sessions, history] = await Promise.all([
    call('GET', `/{project}/customers/${id}`),
    call('GET', `/{project}/_frontdesk/customers/${id}/sessions`),
    call('GET', `/{project}/messages?${messages}`),
  ])
  const tokens = sessions.openTokens.map(({purpose, expiresAt}) => `${purpose} until ${momentOf(expiresAt)}`)
  const facts = terms([
    ['email', `${customer.email} (${customer.isEmailVerified ? 'verified' : 'not verified'})`],
    ['number', customer.customerNumber],
    ['key', customer.key],
    ['signs in', customer.authenticationMode === 'ExternalAuth' ? 'externally' : 'with a password'],
    ['sessions', `${sessions.sessions} open`],
    ['locked out', sessions.lockedUntil && `until ${momentOf(sessions.lockedUntil)}`],
    ['open tokens', tokens.join('; ') || 'none'],
    ['stores', customer.stores.map(({key}) => key).join(' ')],
    ['addresses', customer.addresses.map(addressOf).join('; ')],
    ['version', `${customer.version}, of ${momentOf(customer.lastModifiedAt)}`],
  ])
  const events = history.results.map(({createdAt, type, resourceVersion}) =>
    element(
      'tr',
      {},
      element('td', {}, momentOf(createdAt)),
      element('td', {}, type),
      element('td', {}, String(resourceVersion)),
    ),
  )
  const head = ['Time', 'Message', 'Version'].map((name) => element('th', {scope: 'col'}, name))
  const title = element('h2', {tabindex: -1}, nameOf(customer))
  const history_ = [
    element('h2', {}, 'History'),
    events.length === 0 ? element('p', {class: 'empty'}, 'No messages.') : table(head, events),
  ]
  card.replaceChildren(
    title,
    element('div', {class: 'sides'}, element('div', {}, facts, ...history_), jsonText(customer)),
  )
  title.focus()
}

export function peoplePart() {
  void attempt(search)()
  const button = element('button', {}, 'Search')
  return [element('form', {role: 'search', onsubmit: attempt(search)}, box, button), found, card]
}
