import {earthRadiusMeters} from './geo.js'
import {instantForm} from './instant.js'

// SQL expressions over one jsonb value. Each is null where the value is not of the type, and none can fail: CASE keeps
// a cast from being evaluated before its guard.

/** The text of a JSON string, compared by code points. */
export const textOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' END) COLLATE "C"`

export const numericOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'number' THEN (${value})::numeric END)`

export const booleanOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'boolean' THEN (${value})::boolean END)`

/** The moment that a JSON string names; fractions beyond milliseconds are cut, not rounded. */
export const instantOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'string' AND ${value} #>> '{}' ~ '${instantForm}' ` +
  `THEN regexp_replace(${value} #>> '{}', '([.][0-9]{3})[0-9]+', '\\1')::timestamptz END)`

/**
 * The great-circle distance in metres between a GeoJSON point and a centre. Differences are rounded to 12 digits, as
 * the square of a smaller number underflows, which PostgreSQL answers with an error.
 */
export function distanceOf(value: string, longitude: string, latitude: string): string {
  const [east, north] = [`${value}->'coordinates'->0`, `${value}->'coordinates'->1`]
  const halfSine = (of: string, centre: string) =>
    `power(sin(radians(round((${of})::numeric - ${centre}::numeric, 12)::float8) / 2), 2)`
  const cosines = `cos(radians(round((${north})::numeric, 12)::float8)) * cos(radians(round(${latitude}::numeric, 12)::float8))`
  const chord = `${halfSine(north, latitude)} + ${cosines} * ${halfSine(east, longitude)}`
  return (
    `(CASE WHEN ${value}->>'type' = 'Point' AND jsonb_typeof(${value}->'coordinates') = 'array' ` +
    `AND jsonb_typeof(${east}) = 'number' AND jsonb_typeof(${north}) = 'number' ` +
    `THEN CASE WHEN abs((${east})::numeric) <= 180 AND abs((${north})::numeric) <= 90 ` +
    `THEN 2 * ${earthRadiusMeters} * asin(sqrt(least(1, ${chord}))) END END)`
  )
}
