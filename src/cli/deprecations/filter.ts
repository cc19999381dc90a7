import {catalogue} from '../../deprecations/catalogue/index.js'
import {areas, type DeprecationFilter} from '../../deprecations/list.js'
import {defined} from '../../domain/equal.js'
import {isDate} from '../../domain/rules.js'
import {choiceFlag, type FlagValues, textFlag} from '../input/flags.js'
import {didYouMean, usage} from '../process/failure.js'

export const filterFlags = {
  area: textFlag('AREA', 'Only this area, such as Customers.'),
  status: choiceFlag(['deprecated', 'removed', 'upcoming'], 'Only deprecations with this status.'),
  kind: choiceFlag(['rest', 'graphql', 'scope'], 'Only this kind.'),
  since: textFlag('DATE', 'Deprecated on or after this day; with --status removed, removed.'),
  before: textFlag('DATE', 'Deprecated before this day; with --status removed, removed.'),
  'as-of': textFlag('DATE', 'Show the status that each deprecation has on this day.'),
  search: textFlag('WORDS', 'Only entries that contain all these words.'),
}

/** A day from a flag. Throws a usage error for any other text. */
export function dayOf(text: string | undefined, flag: string): string | undefined {
  if (text === undefined || isDate(text)) return text
  throw usage(`'${text}' is not a day.`, `Write ${flag} YYYY-MM-DD.`)
}

function areaOf(text: string): string {
  const known = areas()
  if (known.some((area) => area.toLowerCase() === text.trim().toLowerCase())) return text
  throw usage(`There is no area '${text}'.`, didYouMean(text, known) ?? `Use one of ${known.join(', ')}.`)
}

const ids = catalogue.map(({id}) => id)

/** A hint for an id that no deprecation has: the nearest ones. */
export const idHint = (id: string): string => didYouMean(id.trim(), ids) ?? '`frontdesk deprecations list` names all.'

export function filterOf(flags: FlagValues<typeof filterFlags>): DeprecationFilter {
  const {area, status, kind, since, before, 'as-of': asOf, search} = flags
  return defined({
    area: area === undefined ? undefined : areaOf(area),
    ...{status, kind},
    since: dayOf(since, '--since'),
    before: dayOf(before, '--before'),
    asOf: dayOf(asOf, '--as-of'),
    search,
  })
}
