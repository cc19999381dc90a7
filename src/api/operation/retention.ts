import {dayMs, hourMs, isoDay, isoHour, isoTime} from '../../domain/iso-time.js'
import type {Project} from '../../domain/project/project.js'
import type {Document, Put, Removal} from '../../store/store.js'

/** How long the documents of a kind are kept (decision 51). */
export interface Retention {
  /** The index by which the sweeper finds them: the UTC day, or hour, of `since`, or the moment itself. */
  readonly facet: string
  readonly period: keyof typeof periods
  /** The member that is the moment. */
  readonly member?: string
  /** Milliseconds since the epoch from which the days count. Undefined: this document has no end. */
  since(document: Document): number | undefined
  keptDays(project: Project | undefined): number
  /** For the table in docs/administration.md: `30 days after its end`. */
  readonly term: string
  also?(document: Document): readonly Removal[]
}

/** Removes expired documents, and refresh tokens beyond their number. */
export interface Sweeper {
  /** Sweeps in the background, at a server, if the last sweep was an hour ago. Failures are warnings. */
  due(now: number): void
  /** Resolves when nothing that has ended is left. Throws the errors of the store. */
  sweep(now: number): Promise<void>
  /** Sweeps for two seconds at most, unless the state was swept today. */
  sweepBriefly(now: number): Promise<void>
  /** To be called after a refresh token was stored: beyond their number the least recently used ones go. Failures are warnings. */
  refreshTokenAdded(now: number): Promise<void>
  /** Resolves when no sweep runs in the background. With `stop`, none begins any more. */
  idle(stop?: 'stop'): Promise<void>
}

const periods = {
  day: {ms: dayMs, nameOf: isoDay},
  hour: {ms: hourMs, nameOf: isoHour},
  moment: {ms: 1, nameOf: isoTime},
} as const

/** The day or hour since which a document is kept: the value of the facet. Undefined: the document has no end. */
export function periodOf({since, period}: Retention, document: Document): string | undefined {
  const at = since(document)
  return at === undefined ? undefined : periods[period].nameOf(at)
}

/** The periods from that of one time up to, and without, that of another; in milliseconds since the epoch. */
export function periodsBetween({period}: Pick<Retention, 'period'>, from: number, until: number): string[] {
  const {ms, nameOf} = periods[period]
  const first = Math.floor(from / ms)
  return Array.from({length: Math.max(0, Math.floor(until / ms) - first)}, (_, at) => nameOf((first + at) * ms))
}

export const parseIsoTime = (text: string | undefined): number | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** A message dated when it is stored: a request may have taken long until then, and readers go on from the last date. */
export function dated(change: Put, at: string): Put {
  const doc = change.doc as Document & {readonly createdAt: string}
  if (doc.createdAt >= at) return change
  const text = change.json ?? JSON.stringify(doc)
  // The first date is that of the message: a resource that it shows comes later, and no text holds a bare quote.
  const json = text.replace(
    /"createdAt":"[^"]*","lastModifiedAt":"[^"]*"/,
    `"createdAt":"${at}","lastModifiedAt":"${at}"`,
  )
  return {...change, doc: {...doc, createdAt: at, lastModifiedAt: at} as Document, json}
}
