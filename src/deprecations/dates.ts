import type {Deprecation} from './catalogue/entry.js'
import {catalogue} from './catalogue/index.js'

/** How a thing stands: `unknown` only on a day before the interface was written, for what it does not date. */
export type Status = 'deprecated' | 'removed' | 'upcoming' | 'unknown'

/** The day (ISO) on which the deprecation was made known. */
export const deprecationDayOf = ({dates}: Deprecation): string | undefined => dates.deprecated ?? dates.announced

/** The day (ISO) from which the old way no longer works, whatever word the interface has for it. */
export const removalDayOf = ({dates}: Deprecation): string | undefined =>
  dates.removed ?? dates.replaced ?? dates.migrated ?? dates.performed ?? dates.effective

/** The youngest date of the catalogue: by then everything in it, dated or not, was deprecated or removed. */
const writtenOn =
  catalogue
    .flatMap(({dates}) => Object.values(dates))
    .sort()
    .at(-1) ?? ''

const statusOn = (entry: Deprecation, day: string): Status => {
  const start = deprecationDayOf(entry)
  const end = removalDayOf(entry)
  if (end !== undefined && day >= end) return 'removed'
  if (entry.isRemoved && day >= writtenOn) return 'removed'
  if (start !== undefined) return day >= start ? 'deprecated' : 'upcoming'
  if (end !== undefined) return 'upcoming'
  return day >= writtenOn ? 'deprecated' : 'unknown'
}

/** How an entry stands on an ISO day, or as the interface leaves it. */
export const statusOf = (entry: Deprecation, day?: string): Status => {
  if (day !== undefined) return statusOn(entry, day)
  return entry.isRemoved || removalDayOf(entry) !== undefined ? 'removed' : 'deprecated'
}
