import {element} from './dom.mjs'

export const isRefused = ({status}) => status >= 400 || status === 0

/** Counts and times of the last minutes, as they came to this page. */

const bucketMs = 10_000
const buckets = new Map()

/** Counts requests; the first ones of a connection, which ended before it, by the time that the server gave them. */
export function count(requests, isFresh) {
  const now = Date.now()
  if (!isFresh) buckets.clear()
  for (const request of requests) {
    const bucket = Math.floor((isFresh ? now : Date.parse(request.at)) / bucketMs)
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), request])
  }
}

const shape = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** A plot over 60 times ten seconds: bars are requests and what of them was refused; with times, lines are percentiles. */
export function plot(withTimes = false) {
  const last = Math.floor(Date.now() / bucketMs)
  for (const bucket of buckets.keys()) if (bucket <= last - 60) buckets.delete(bucket)
  const columns = Array.from({length: 60}, (_, at) => buckets.get(last - 59 + at) ?? [])
  const times = columns.map((column) => column.map(({durationMs}) => durationMs).sort((a, b) => a - b))
  const mostCount = Math.max(1, ...columns.map(({length}) => length))
  const slowest = Math.max(1, ...times.map((column) => quantile(column, 0.99)))
  const drawing = shape('svg', {viewBox: '0 0 600 100', preserveAspectRatio: 'none', role: 'img'})
  for (const [at, column] of columns.entries()) {
    const bar = (name, {length}) => {
      const height = (length / mostCount) * 96
      drawing.append(shape('rect', {class: name, x: at * 10 + 1, y: 100 - height, width: 8, height}))
    }
    bar('count', column)
    bar('bad', column.filter(isRefused))
  }
  const line = (name, share) => {
    const points = times.flatMap((column, at) =>
      column.length === 0 ? [] : [`${at * 10 + 5},${98 - (quantile(column, share) / slowest) * 94}`],
    )
    drawing.append(shape('polyline', {class: name, points: points.join(' ')}))
    return `${name} ${quantile(
      times.flat().sort((a, b) => a - b),
      share,
    ).toFixed(1)} ms`
  }
  const all = columns.flat()
  const texts = [
    ['count', `${all.length} requests`],
    ['bad', `${all.filter(isRefused).length} refused`],
  ]
  if (withTimes) texts.push(['p50', line('p50', 0.5)], ['p99', line('p99', 0.99)])
  const most = `at most ${mostCount} in ten seconds`
  const text = [...texts.map(([, one]) => one), most].join(', ')
  drawing.setAttribute('aria-label', `The last ten minutes: ${text}`)
  const legend = texts.map(([name, one]) => element('span', {class: `key ${name}`}, one))
  const axis = element(
    'p',
    {class: 'soft axis', 'aria-hidden': 'true'},
    element('span', {}, '10 minutes ago'),
    element('span', {}, 'now'),
  )
  return [element('p', {class: 'soft legend', 'aria-hidden': 'true'}, legend, element('span', {}, most)), drawing, axis]
}
