import {element} from './dom.mjs'

/** Requests and refusals of the last minutes, as they came to this page. */

export const isRefused = ({status}) => status >= 400 || status === 0

const [bars, bucketMs] = [60, 10_000]
/** Of each ten seconds how many were answered and how many of these refused. */
const buckets = new Map()

/** Counts requests; the first ones of a connection, which ended before it, by the time that the server gave them. */
export function count(requests, isFresh) {
  const now = Date.now()
  if (!isFresh) buckets.clear()
  for (const request of requests) {
    const bucket = Math.floor((isFresh ? now : Date.parse(request.at)) / bucketMs)
    const {all = 0, bad = 0} = buckets.get(bucket) ?? {}
    buckets.set(bucket, {all: all + 1, bad: bad + Number(isRefused(request))})
  }
}

const shape = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

const line = (name, parts) => element('p', {class: `soft ${name}`, 'aria-hidden': 'true'}, parts)

/** A bar for each ten seconds, the same in words, and how long the requests that the page still has took. */
export function plot(requests) {
  const last = Math.floor(Date.now() / bucketMs)
  for (const bucket of buckets.keys()) if (bucket <= last - bars) buckets.delete(bucket)
  const most = Math.max(1, ...[...buckets.values()].map(({all}) => all))
  const drawing = shape('svg', {viewBox: '0 0 600 100', preserveAspectRatio: 'none', role: 'img'})
  const sums = {all: 0, bad: 0}
  for (const [bucket, counts] of buckets) {
    for (const name of ['all', 'bad']) {
      const [x, height] = [(bucket - last + bars - 1) * 10 + 1, (counts[name] / most) * 96]
      drawing.append(shape('rect', {class: name, x, y: 100 - height, width: 8, height}))
      sums[name] += counts[name]
    }
  }
  const times = requests.map(({durationMs}) => durationMs).sort((a, b) => a - b)
  const ms = (share) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`
  const texts = [`${sums.all} requests`, `${sums.bad} refused`, `at most ${most} in ten seconds`]
  texts.push(`p50 ${ms(0.5)}, p99 ${ms(0.99)}`)
  drawing.setAttribute('aria-label', `The last ten minutes: ${texts.join(', ')}`)
  const legend = texts.map((text, at) => element('span', {class: ['key all', 'key bad'][at]}, text))
  const axis = ['10 minutes ago', 'now'].map((text) => element('span', {}, text))
  return [line('legend', legend), drawing, line('axis', axis)]
}
