import {element} from './dom.mjs'

/** Counts and times of the last minutes, as they came to this page. */

const bucketMs = 10_000
const buckets = new Map()

/** Counts requests; the first ones of a connection, which ended before it, by the time that the server gave them. */
export function count(requests, isFresh) {
  const now = Date.now()
  if (!isFresh) buckets.clear()
  for (const {at, durationMs} of requests) {
    const bucket = Math.floor((isFresh ? now : Date.parse(at)) / bucketMs)
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), durationMs])
  }
}

const shape = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** A plot over 60 times ten seconds: bars are requests, lines the 50th and 99th percentile of their times. */
export function plot() {
  const last = Math.floor(Date.now() / bucketMs)
  for (const bucket of buckets.keys()) if (bucket <= last - 60) buckets.delete(bucket)
  const columns = Array.from({length: 60}, (_, at) => (buckets.get(last - 59 + at) ?? []).toSorted((a, b) => a - b))
  const mostCount = Math.max(1, ...columns.map(({length}) => length))
  const slowest = Math.max(1, ...columns.map((column) => quantile(column, 0.99)))
  const made = shape('svg', {viewBox: '0 0 600 100', preserveAspectRatio: 'none', role: 'img'})
  for (const [at, {length}] of columns.entries()) {
    const height = (length / mostCount) * 96
    made.append(shape('rect', {class: 'count', x: at * 10 + 1, y: 100 - height, width: 8, height}))
  }
  const line = (share) =>
    columns
      .flatMap((column, at) =>
        column.length === 0 ? [] : [`${at * 10 + 5},${98 - (quantile(column, share) / slowest) * 94}`],
      )
      .join(' ')
  made.append(
    shape('polyline', {class: 'p50', points: line(0.5)}),
    shape('polyline', {class: 'p99', points: line(0.99)}),
  )
  const all = columns.flat().sort((a, b) => a - b)
  const ms = (share) => `${quantile(all, share).toFixed(1)} ms`
  const text = `${all.length} requests; p50 ${ms(0.5)}, p99 ${ms(0.99)}; at most ${mostCount} in ten seconds`
  made.setAttribute('aria-label', text)
  return [element('p', {class: 'soft'}, text), made]
}
