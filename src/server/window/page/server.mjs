import {attempt, button, call, element, field, heading, labelled, momentOf, project, table, terms} from './dom.mjs'

/** The server itself: its clock, faults and projects. */

const clock = element('output', {id: 'clock'})
const faults = element('ul', {id: 'faults'})
const facts = element('div')
const stored = element('div')

const at = field('at', 'Time, in UTC', {size: 22, placeholder: '2026-12-24T18:00:00Z'})
const by = field('by', 'Minutes', {type: 'number', min: 1, value: 60})
const pack = field('pack', 'Seed pack', {size: 30, placeholder: 'demo, or a folder; empty: none'})
const operation = field('struck', 'Operation', {size: 26, list: 'operations', placeholder: 'every operation'})
const times = field('times', 'Times', {type: 'number', min: 1, placeholder: 'always'})
const operations = element('datalist', {id: 'operations'})
const statuses = ['500', '502', '503', '504', '429'].map((status) => [status, `answers ${status}`])
const choices = [...statuses, ['latency', 'waits a second'], ['drop', 'drops the connection']]
const options = choices.map(([value, text]) => element('option', {value}, text))
const effect = element('select', {id: 'effect', 'aria-label': 'Effect'}, options)

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
  const shown = rules.map(({probability: _, ...rule}, index) => {
    const parts = Object.entries(rule).map(([name, value]) => `${name} ${value}`)
    return element('li', {}, `${parts.join(', ')}: applied ${strikes[index] ?? 0} times`)
  })
  faults.replaceChildren(...(shown.length === 0 ? [element('li', {class: 'empty'}, 'none')] : shown))
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
      ['process', status.pid],
      ['started', `${momentOf(status.startedAt)}, ${status.uptimeSeconds} seconds ago`],
      ['commands', element('code', {}, `eval "$(frontdesk server env --project-key ${project.key})"`)],
    ]),
  )
  const kinds = status.projects.find(({key}) => key === project.key)?.stored ?? []
  const rows = kinds.map(({kind, count, kept}) => [kind, String(count), kept.replaceAll('`', '')])
  stored.replaceChildren(table(['What', 'How many', 'Kept'], rows))
}

export function serverPart() {
  const freeze = () => change({do: 'freeze', ...(at.value === '' ? {} : {at: at.value.trim()})})
  const move = () => change({do: 'advance', milliseconds: Number(by.value) * 60_000})
  const real = () => change({do: 'real'})
  const clear = async () => listFaults(await call('POST', '/_admin/faults', {rules: []}))
  const listeners = {onsubmit: attempt(strike), onfocusin: attempt(gather)}
  const buttons = [element('button', {}, 'Add'), button('Clear', clear)]
  const line = (...children) => element('div', {class: 'row'}, children)
  return [
    ...[heading('Clock'), element('p', {}, clock)],
    line(labelled(at), button('Freeze', freeze), labelled(by), button('Move on', move), button('Real time', real)),
    ...[heading('Faults'), faults],
    element('form', listeners, [operation, effect, times].map(labelled), operations, buttons),
    ...[heading('Stored'), stored],
    line(labelled(pack), button('Empty the project, then seed it', reset)),
    ...[heading('Server'), facts],
  ]
}
