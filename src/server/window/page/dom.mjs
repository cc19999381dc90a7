/** What all parts of the page use. Texts become text nodes, and nothing is ever parsed as markup. */

/** An element with its attributes, listeners (`onclick`) and children; what is undefined or false is left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else made.setAttribute(key, value === true ? '' : String(value))
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== false))
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

const rowOf = (cells) => element('tr', {}, cells)

/** A row of a table, from the contents of its cells. */
export const row = (contents) => rowOf(contents.map((content) => element('td', {}, content)))

/** A table with a head; rows are lists of cells. */
export function table(head, rows) {
  const names = rowOf(head.map((name) => element('th', {scope: 'col'}, name)))
  return element('table', {}, element('thead', {}, names), element('tbody', {}, rows.map(row)))
}

export const heading = (text) => element('h2', {}, text)

/** A field with a name for those who do not see it. */
export const field = (id, label, more = {}) => element('input', {id, 'aria-label': label, ...more})

export const button = (text, work, more = {}) =>
  element('button', {type: 'button', onclick: attempt(work), ...more}, text)

const token = document.querySelector('meta[name=frontdesk-token]').content

/** The server does not let this page in any more: it was started again, or has never known it. */
export class Outside extends Error {}

/** The project that the page shows. */
export const project = {key: ''}

/** Calls an operation of the server by its method and path, `{project}` included. Throws what the server answers. */
export async function call(method, path, body) {
  const answer = await fetch(`/_frontdesk/window/api${path.replace('{project}', encodeURIComponent(project.key))}`, {
    method,
    headers: {'x-frontdesk-window': token, ...(body === undefined ? {} : {'content-type': 'application/json'})},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  })
  if (answer.status === 401) throw new Outside('The server was started again: run frontdesk server open.')
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
