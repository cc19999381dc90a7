import {attempt, call, element, momentOf, project, table, terms} from './dom.mjs'
import {plot} from './plot.mjs'

/** The server itself: its clock, faults, projects, and how it does. */

const clock = element('output', {id: 'clock'})
const faults = element('ul', {id: 'faults'})
const facts = element('div')
const stored = element('div')
const drawn = element('div')

const at = element('input', {id: 'at', size: 22, placeholder: '2026-12-24T18:00:00Z', 'aria-label': 'Time, in UTC'})
const by = element('input', {id: 'by', type: 'number', min: 1, value: 60, size: 6, 'aria-label': 'Minutes'})
const pack = element('input', {
  id: 'pack',
  size: 24,
  placeholder: 'demo, or a folder; empty: none',
  'aria-label': 'Seed pack',
})
const operation = element('input', {
  id: 'struck',
  size: 26,
  list: 'operations',
  placeholder: 'every operation',
  'aria-label': 'Operation',
})
const operations = element('datalist', {id: 'operations'})
const effect = element(
  'select',
  {id: 'effect', 'aria-label': 'Effect'},
  ...['500', '502', '503', '504', '429'].map((status) => element('option', {value: status}, `answers ${status}`)),
  element('option', {value: 'latency'}, 'waits a second'),
  element('option', {value: 'drop'}, 'drops the connection'),
)
const times = element('input', {
  id: 'times',
  type: 'number',
  min: 1,
  size: 4,
  placeholder: 'always',
  'aria-label': 'Times',
})

const button = (text, work) => element('button', {type: 'button', onclick: attempt(work)}, text)

async function change(body) {
  const {now, mode} = await call(body ? 'POST' : 'GET', '/_admin/clock', body)
  clock.value = `${momentOf(now)} (${mode})`
}

const effects = {latency: {latencyMs: 1_000}, drop: {drop: 'before'}}

async function strike() {
  const {rules, seed} = await call('GET', '/_admin/faults')
  const rule = {
    ...(effects[effect.value] ?? {status: Number(effect.value)}),
    ...(operation.value === '' ? {} : {operation: operation.value.trim()}),
    ...(times.value === '' ? {} : {times: Number(times.value)}),
  }
  listFaults(await call('POST', '/_admin/faults', {seed, rules: [...rules, rule]}))
}

function listFaults({rules, drawn: strikes}) {
  const shown = rules.map(({probability: _, ...rule}, index) =>
    element(
      'li',
      {},
      `${Object.entries(rule)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}: struck ${strikes[index] ?? 0} times`,
    ),
  )
  faults.replaceChildren(...(shown.length === 0 ? [element('li', {class: 'empty'}, 'no faults on purpose')] : shown))
}

async function gather() {
  if (operations.children.length > 0) return
  const {paths} = await call('GET', '/openapi.json')
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({operationId}) => operationId ?? []),
  )
  operations.replaceChildren(...ids.sort().map((value) => element('option', {value})))
}

async function reset() {
  if (!confirm(`Remove everything in the project '${project.key}'?`)) return
  const seedDir = pack.value.trim()
  await call('POST', '/_admin/reset', {projectKey: project.key, ...(seedDir === '' ? {} : {seedDir})})
  await refreshServer()
}

export async function refreshServer() {
  const [status, struck] = await Promise.all([call('GET', '/_admin/status'), call('GET', '/_admin/faults'), change()])
  listFaults(struck)
  facts.replaceChildren(
    terms([
      ['process', [status.pid, ...(status.workers ?? [])].join(', ')],
      ['started', `${momentOf(status.startedAt)}, ${status.uptimeSeconds} seconds ago`],
      ['commands', element('code', {}, `eval "$(frontdesk server env --project-key ${project.key})"`)],
    ]),
  )
  const kinds = status.projects.find(({key}) => key === project.key)?.stored ?? []
  const head = ['What', 'How many', 'Kept'].map((name) => element('th', {scope: 'col'}, name))
  const rows = kinds.map(({kind, count, kept}) =>
    element('tr', {}, element('td', {}, kind), element('td', {}, String(count)), element('td', {}, kept)),
  )
  stored.replaceChildren(table(head, rows))
  drawn.replaceChildren(...plot())
}

export function serverPart() {
  const freeze = () => change({do: 'freeze', ...(at.value === '' ? {} : {at: at.value.trim()})})
  const move = () => change({do: 'advance', milliseconds: Number(by.value) * 60_000})
  return [
    element('h2', {}, 'Clock'),
    element('p', {}, clock),
    element(
      'div',
      {class: 'row'},
      at,
      button('Freeze', freeze),
      by,
      button('Move minutes on', move),
      button('Real time', () => change({do: 'real'})),
    ),
    element('h2', {}, 'Faults'),
    faults,
    element(
      'form',
      {onsubmit: attempt(strike), onfocusin: attempt(gather)},
      operation,
      operations,
      effect,
      times,
      element('button', {}, 'Add'),
      button('Clear', async () => listFaults(await call('POST', '/_admin/faults', {rules: []}))),
    ),
    element('h2', {}, 'Requests of the last ten minutes'),
    drawn,
    element('h2', {}, 'Stored'),
    stored,
    element('div', {class: 'row'}, pack, button('Empty the project, then seed it', reset)),
    element('h2', {}, 'Server'),
    facts,
  ]
}
