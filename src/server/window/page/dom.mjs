/** What all parts of the page use. Texts become text nodes, and nothing is ever parsed as markup. */

/** Spells out what would reorder the text around it. */
const inOrder = (text) =>
  text.replace(/\p{Bidi_Control}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An element with its attributes, listeners (`onclick`) and children; what is undefined or false is left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else made.setAttribute(key, value === true ? '' : String(value))
  }
  const given = children.flat().filter((child) => child !== undefined && child !== false)
  made.append(...given.map((child) => (child instanceof Node ? child : inOrder(String(child)))))
  return made
}

export const timeOf = (iso) => new Date(iso).toISOString().slice(11, 19)
export const momentOf = (iso) => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
export const jsonText = (value) => element('pre', {tabindex: 0}, JSON.stringify(value, undefined, 2))

/** A list of terms; entries without a value are left out. */
export function terms(entries) {
  const given = entries.filter(([, value]) => value !== undefined && value !== '')
  return element(
    'dl',
    {},
    given.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]),
  )
}

/** A row of a table, from the contents of its cells. A narrow page shows it as a card, where each cell has its label. */
export const row = (head, contents) =>
  element(
    'tr',
    {role: 'row'},
    contents.map((content, at) => element('td', {role: 'cell', 'data-label': head[at]}, content)),
  )

/** A table with a head; rows are lists of cells. Its roles are named, since a card is no table to some readers. */
export function table(head, rows, body = element('tbody', {role: 'rowgroup'})) {
  const names = head.map((name) => element('th', {scope: 'col', role: 'columnheader'}, name))
  body.append(...rows.map((contents) => row(head, contents)))
  return element(
    'table',
    {role: 'table'},
    element('thead', {role: 'rowgroup'}, element('tr', {role: 'row'}, names)),
    body,
  )
}

export const heading = (text) => element('h2', {}, text)

/** A field with a name for those who do not see it. */
export const field = (id, label, more = {}) => element('input', {id, 'aria-label': label, ...more})

/** A field with its name before it. */
export const labelled = (control) => element('label', {}, `${control.ariaLabel} `, control)

export const button = (text, work, more = {}) =>
  element('button', {type: 'button', onclick: attempt(work), ...more}, text)

/** The server does not let this page in, or not any more. */
export class Outside extends Error {}

const root = '/_frontdesk/window'
const tokenName = 'frontdesk-token'

/** Asks the server with the token of the session, which this tab keeps to itself. */
async function ask(path, {headers = {}, ...more} = {}) {
  const token = sessionStorage.getItem(tokenName) ?? ''
  const answer = await fetch(`${root}${path}`, {...more, headers: {'x-frontdesk-window': token, ...headers}})
  if (answer.status === 401) throw new Outside('This window is closed: run frontdesk server open.')
  return answer
}

/** Turns the code of a link into a session, once, and takes it out of the address. */
export async function enter() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  const answer = await ask('/enter', {method: 'POST', headers: {'x-frontdesk-window': code}})
  sessionStorage.setItem(tokenName, await answer.text())
}

/** Hands on the requests as the server writes them, some at a time, until it ends. */
export async function follow(signal, take) {
  const {ok, body} = await ask(`/events?project=${encodeURIComponent(project.key)}`, {signal})
  if (!ok) throw new Error('The server has no place for one more page.')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = `${rest}${part.value}`.split('\n')
    rest = lines.pop()
    for (const line of lines) take(line === '' ? [] : JSON.parse(line))
  }
}

/** The project that the page shows. */
export const project = {key: ''}

/** Calls an operation of the server by its method and path, `{project}` included. Throws what the server answers. */
export async function call(method, path, body) {
  const answer = await ask(`/api${path.replace('{project}', encodeURIComponent(project.key))}`, {
    method,
    ...(body === undefined ? {} : {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
  })
  const text = await answer.text()
  const read = text === '' ? undefined : JSON.parse(text)
  if (!answer.ok) throw new Error(read?.errors?.[0]?.detailedErrorMessage ?? read?.message ?? `status ${answer.status}`)
  return read
}

const notice = document.querySelector('#notice')

/** Runs what a click began; its failure is shown, and the next success takes that away. */
export function attempt(work) {
  return async (event) => {
    event?.preventDefault()
    try {
      await work(event)
      notice.hidden = true
    } catch (error) {
      notice.textContent = error.message
      notice.hidden = false
    }
  }
}
