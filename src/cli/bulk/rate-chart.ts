import type {PacePoint} from '../../transfer/jobs/pace.js'
import {Html, html} from '../output/html.js'
import {momentText, numberText} from '../output/html-page.js'

const [width, height, left, bottom, top] = [900, 190, 56, 26, 14]

interface Span {
  readonly from: number
  readonly to: number
  readonly rate: number
}

/** What is left over at the end of a run is too short to have a rate of its own. */
const leastMs = 500

/** Rows per second between moments of one run; the pause between two runs is in none. */
function spansOf(points: readonly PacePoint[]): readonly Span[] {
  const spans: Span[] = []
  let from: PacePoint | undefined
  for (const [index, point] of points.entries()) {
    const isLast = index === points.length - 1 || points[index + 1]?.starts === true
    if (
      from &&
      !point.starts &&
      point.at > from.at &&
      (point.at - from.at >= leastMs || (isLast && spans.length === 0))
    ) {
      spans.push({from: from.at, to: point.at, rate: ((point.read - from.read) * 1000) / (point.at - from.at)})
      from = point
    } else if (!from || point.starts) {
      from = point
    }
  }
  return spans
}

/** 1, 2 or 5 times a power of ten, at or above a number. */
function roundUp(number: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(number, 1)))
  return unit * ([1, 2, 5, 10].find((factor) => factor * unit >= number) ?? 10)
}

/** The rate over time as a picture, or nothing if the run was too short to have one. */
export function rateChart(points: readonly PacePoint[]): Html | undefined {
  const spans = spansOf(points)
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last || spans.length < 2) return undefined
  const [begin, end] = [first.from, last.to]
  const most = roundUp(Math.max(...spans.map(({rate}) => rate)))
  const x = (at: number): string => (left + ((at - begin) / (end - begin)) * (width - left - 8)).toFixed(1)
  const y = (rate: number): string => (height - bottom - (rate / most) * (height - bottom - top)).toFixed(1)
  const area = spans.map(({from, to, rate}) => `M${x(from)} ${y(0)}V${y(rate)}H${x(to)}V${y(0)}Z`).join('')
  const line = spans
    .map(({from, to, rate}, at) => `${spans[at - 1]?.to === from ? 'V' : `M${x(from)} `}${y(rate)}H${x(to)}`)
    .join('')
  const grid = [0, most / 2, most].map(
    (rate) =>
      html`<line x1="${left}" x2="${width - 8}" y1="${y(rate)}" y2="${y(rate)}" stroke="var(--line)"/><text x="${left - 8}" y="${Number(y(rate)) + 4}" text-anchor="end">${numberText(rate)}</text>`,
  )
  const label = `Rows per second from ${momentText(begin)} to ${momentText(end)}, at most ${numberText(Math.round(Math.max(...spans.map(({rate}) => rate))))}`
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${grid}<path d="${new Html(area)}" fill="var(--new)" fill-opacity=".16"/><path d="${new Html(line)}" fill="none" stroke="var(--new)" stroke-width="2"/><text x="${left}" y="${height - 6}">${momentText(begin)}</text><text x="${width - 8}" y="${height - 6}" text-anchor="end">${momentText(end)}</text></svg>`
}
