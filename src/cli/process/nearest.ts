import {distance} from 'fastest-levenshtein'

const maxLength = 100

/**
 * Up to three names that begin with or contain what was asked for, or differ from it in at most a third of it; the
 * nearest first. Case does not count.
 */
export function nearest(wanted: string, names: Iterable<string>): readonly string[] {
  const asked = wanted.slice(0, maxLength).toLowerCase()
  if (asked === '') return []
  return [...names]
    .map((name) => ({name, far: stepsTo(name.toLowerCase(), asked)}))
    .filter(({far}) => far < asked.length && far <= Math.max(2, Math.floor(asked.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({name}) => name)
}

const stepsTo = (name: string, asked: string): number =>
  asked.length > 2 && name.includes(asked) ? 0 : distance(asked, name.slice(0, 2 * maxLength))
