import {Html, html, nothing} from './html.js'
import {style} from './page-style.js'

export type Tone = 'good' | 'new' | 'bad' | 'warn' | 'mute'

export interface Page {
  readonly title: string
  readonly state: {readonly text: string; readonly tone: Tone}
  readonly lead: string
  readonly sections: readonly Html[]
  /** Milliseconds since the epoch. */
  readonly madeAt: number
}

const whole = new Intl.NumberFormat('en-US')

/** A count as people read it: `1,234,567`. */
export const numberText = (count: number): string => whole.format(count)

/** A moment without the time zone of anybody: `2026-11-20 09:30:00 UTC`. */
export const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** One self-contained page: nothing is loaded, nothing runs, and the policy says so to the browser. */
export const pageText = ({title, state, lead, sections, madeAt}: Page): string =>
  `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${new Html(style)}</style></head>
<body><main><header><span class="state ${state.tone}">${state.text}</span><h1>${title}</h1><p>${lead}</p></header>
${sections}
<footer>Written by frontdesk at ${momentText(madeAt)}. This page loads nothing and sends nothing; it may name customers: share it like other personal data.</footer></main></body></html>`
      .text
  }\n`

export const section = (title: string, ...content: readonly Html[]): Html =>
  html`<section><h2>${title}</h2>${content}</section>
`

/** What is known of a run, by name; what is absent has no line. */
export const facts = (entries: readonly (readonly [name: string, value: string | undefined])[]): Html =>
  html`<dl>${entries.map(([name, value]) => (value === undefined ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`

export interface Share {
  readonly name: string
  readonly count: number
  readonly tone: Tone
}

/** Counts in large, and a bar of their shares. */
export function shares(all: readonly Share[], whole?: Share): Html {
  const total = all.reduce((sum, {count}) => sum + count, 0)
  const tiles = [...(whole ? [whole] : []), ...all].map(
    ({name, count, tone}) =>
      html`<li><b class="${count === 0 || tone === 'mute' ? '' : tone}">${numberText(count)}</b><span>${name}</span></li>`,
  )
  let from = 0
  const bars = all.map(({name, count, tone}) => {
    const width = total === 0 ? 0 : (count / total) * 1000
    const bar = html`<rect x="${from.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="14" fill="var(--${tone})"><title>${name}: ${numberText(count)}</title></rect>`
    from += width
    return bar
  })
  const label = all.map(({name, count}) => `${numberText(count)} ${name}`).join(', ')
  return html`<ul class="tiles">${tiles}</ul><svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" height="14" role="img" aria-label="${label}">${bars}</svg>`
}

/** Something to do, and the command that does it. */
export const step = (what: string, command?: string): Html =>
  html`<li>${what}${command === undefined ? nothing : html`<pre>${command}</pre>`}</li>`
