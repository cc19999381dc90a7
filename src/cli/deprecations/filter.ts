import {Flags} from '@oclif/core'
import {isDay} from '../../deprecations/dates.js'
import {areas, type DeprecationFilter} from '../../deprecations/list.js'
import {nearest} from '../../deprecations/nearest.js'
import {defined} from '../../domain/equal.js'
import type {Given} from '../input/flags.js'
import {usage} from '../process/failure.js'

const dayFlag = (summary: string) => Flags.string({helpValue: 'DATE', summary})

export const filterFlags = {
  area: Flags.string({helpValue: 'AREA', summary: 'Only this area, such as Customers.'}),
  status: Flags.option({
    options: ['deprecated', 'removed', 'upcoming'] as const,
    summary: 'Only deprecations with this status.',
  })(),
  kind: Flags.option({options: ['rest', 'graphql', 'scope'] as const, summary: 'Only this kind.'})(),
  since: dayFlag('Deprecated on or after this day; with --status removed, removed.'),
  before: dayFlag('Deprecated before this day; with --status removed, removed.'),
  'as-of': dayFlag('Show the status that each deprecation has on this day.'),
  search: Flags.string({helpValue: 'WORDS', summary: 'Only entries that contain all these words.'}),
}

/** A day from a flag. Throws a usage error for what is none. */
export function dayOf(text: string, flag: string): string {
  if (isDay(text)) return text
  throw usage(`'${text}' is not a day.`, `Write ${flag} YYYY-MM-DD.`)
}

function areaOf(text: string): string {
  const known = areas()
  if (known.some((area) => area.toLowerCase() === text.trim().toLowerCase())) return text
  const near = nearest(text, known)
  throw usage(
    `There is no area '${text}'.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Use one of ${known.join(', ')}.`,
  )
}

type FilterFlags = Given<typeof filterFlags>

/** The filter that flags describe. */
export function filterOf(flags: FilterFlags): DeprecationFilter {
  const {area, status, kind, since, before, 'as-of': asOf, search} = flags
  return {
    ...(area === undefined ? {} : {area: areaOf(area)}),
    ...defined({status, kind}),
    ...(since === undefined ? {} : {since: dayOf(since, '--since')}),
    ...(before === undefined ? {} : {before: dayOf(before, '--before')}),
    ...(asOf === undefined ? {} : {asOf: dayOf(asOf, '--as-of')}),
    ...defined({search}),
  }
}
