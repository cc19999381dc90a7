import {xml} from './ci-text.js'

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[]

const maxCharacters = 600

/** A text as a page shows it: what is invisible or reorders text is spelled out, and what has no end is cut. */
function partText(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({text}) => text).join('')
  const text = String(part)
  return xml(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text)
}

/** HTML with values in it; whatever is not HTML itself is escaped, in texts and quoted attributes alike. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + (at < parts.length ? partText(parts[at] ?? '') : '')).join(''))

export const nothing = new Html('')

export type Tone = 'good' | 'new' | 'bad' | 'warn' | 'mute'

export interface Page {
  readonly title: string
  readonly state: {readonly text: string; readonly tone: Tone}
  readonly lead: string
  readonly counts: readonly Share[]
  /** What the counts are counted of. */
  readonly whole?: Share
  /** What to do next, in order, each with the command that does it. */
  readonly steps: readonly (readonly [what: string, command?: string | undefined])[]
  readonly sections: readonly Html[]
  /** What else is known, by name; what is absent has no line. */
  readonly about?: readonly [title: string, facts: readonly (readonly [name: string, value: string | undefined])[]]
  readonly madeAt: number
}

const whole = new Intl.NumberFormat('en-US')

/** A count as people read it: `1,234,567`. */
export const numberText = (count: number): string => whole.format(count)

/** A moment without the time zone of anybody: `2026-11-20 09:30:00 UTC`. */
export const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** One self-contained page: nothing is loaded, nothing runs, and the policy says so to the browser. */
export const pageText = ({title, state, lead, counts, whole, steps, sections, about, madeAt}: Page): string =>
  `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${new Html(style)}</style></head>
<body><main><header><span class="state ${state.tone}">${state.text}</span><h1>${title}</h1><p>${lead}</p></header>
${section('Counts', shares(counts, whole))}${steps.length === 0 ? nothing : section('Next steps', html`<ol>${steps.map(step)}</ol>`)}${sections}${about ? section(about[0], facts(about[1])) : nothing}
<footer>Written by frontdesk at ${momentText(madeAt)}. This page loads nothing and sends nothing; it may name customers: share it like other personal data.</footer></main></body></html>`
      .text
  }\n`

export const section = (title: string, ...content: readonly Html[]): Html =>
  html`<section><h2>${title}</h2>${content}</section>
`

export const note = (isCut: boolean, text: string): Html => (isCut ? html`<p class="note">${text}</p>` : nothing)

const facts = (entries: NonNullable<Page['about']>[1]): Html =>
  html`<dl>${entries.map(([name, value]) => (value === undefined ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`

export interface Share {
  readonly name: string
  readonly count: number
  readonly tone: Tone
}

const shares = (all: readonly Share[], whole?: Share): Html =>
  html`<ul class="tiles">${[...(whole ? [whole] : []), ...all].map(
    ({name, count, tone}) =>
      html`<li><b class="${count === 0 || tone === 'mute' ? '' : tone}">${numberText(count)}</b><span>${name}</span></li>`,
  )}</ul>`

const step = ([what, command]: Page['steps'][number]): Html =>
  html`<li>${what}${command === undefined ? nothing : html`<pre>${command}</pre>`}</li>`

/** The look of a page: light, dark and on paper. Compact, since it is part of every page. */
const style = `:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1a1d23;--soft:#5b6472;--line:#e2e5ea;--good:#1a7f4b;--new:#2563c9;--bad:#c0312b;--warn:#9a6700;--mute:#98a1ae;--code:#f0f2f5}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1d2026;--ink:#e8eaee;--soft:#a0a8b5;--line:#333842;--good:#4cc38a;--new:#6ea8fe;--bad:#ff7b72;--warn:#e3b341;--mute:#6b7482;--code:#272b33}}
*{box-sizing:border-box}body{margin:0;overflow-wrap:anywhere;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem}h1{font-size:1.7rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.1rem;margin:0 0 .8rem}
header p{margin:0;color:var(--soft)}.state{display:inline-block;border-radius:99px;padding:.1rem .8rem;font-size:.85rem;font-weight:600;border:1.5px solid;margin-bottom:.6rem}
.good{color:var(--good)}.new{color:var(--new)}.bad{color:var(--bad)}.warn{color:var(--warn)}.mute{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin-top:1.1rem}
dl{display:grid;grid-template-columns:fit-content(45%) 1fr;gap:.25rem 1.2rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.tiles{display:flex;flex-wrap:wrap;gap:.6rem 2.2rem;margin:0 0 1rem;padding:0;list-style:none}.tiles b{display:block;font-size:1.75rem;line-height:1.15;font-variant-numeric:tabular-nums}.tiles span{color:var(--soft);font-size:.9rem}
table{width:100%;border-collapse:collapse;font-size:.94rem}th{text-align:left;color:var(--soft);font-weight:600;font-size:.85rem}th,td{padding:.45rem .8rem .45rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}thead th{border-top:0}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td small,li small{display:block;color:var(--soft)}
pre,code{font:.88rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace;background:var(--code);border-radius:.4rem}code{padding:.1rem .35rem}pre{margin:.35rem 0 0;padding:.6rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere}
ol,ul{margin:0;padding-left:1.3rem}ol>li+li{margin-top:.8rem}.note{color:var(--soft);font-size:.9rem;margin:.8rem 0 0}footer{color:var(--soft);font-size:.85rem;margin-top:1.4rem}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--good:#11663a;--new:#1d4fa3;--bad:#a3211b;--warn:#7a5200;--mute:#98a1ae;--code:#f0f2f5}body{font-size:10.5pt}main{max-width:none;padding:0}section{break-inside:auto;border-radius:0;border-width:1px 0 0;padding:.8rem 0}tr,li,.tiles{break-inside:avoid}h2{break-after:avoid}}`
