import * as v from 'valibot'

/**
 * Schemas of the API's scalar values. A value of the wrong JSON type is `InvalidJsonInput`, a value of the right type
 * that breaks a rule is `InvalidField` (decision 9). Rules are registered here, so that the translation of issues can
 * tell them apart.
 */

type Requirement = (input: never) => boolean

const fieldRules = new WeakSet<Requirement>()

export const isFieldRule = (requirement: unknown): boolean =>
  typeof requirement === 'function' && fieldRules.has(requirement as Requirement)

/** A rule on a value of the right type. `text` is a sentence for the caller. */
export function rule<T>(holds: (value: T) => boolean, text: string) {
  fieldRules.add(holds as Requirement)
  return v.check<T, string>(holds, text)
}

const declared = <S extends v.GenericSchema>(schema: S) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  )

/**
 * The schema of an optional member; null counts as absent. It calls the schema of the value as valibot's own schemas do: the
 * three around it took a quarter of the validation of a draft.
 */
export function optional<S extends v.GenericSchema>(schema: S): ReturnType<typeof declared<S>> {
  const made = declared(schema)
  const run: (typeof made)['~run'] = (dataset, config) => {
    if (dataset.value !== undefined && dataset.value !== null) return schema['~run'](dataset, config) as never
    return {...dataset, typed: true, value: undefined}
  }
  return {...made, '~run': run}
}

export const Text = v.string()

const control = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/**
 * Whether the platform accepts a text as an email: 1 to 320 characters, no surrounding blanks, no control characters,
 * no lone surrogates. An `@` is not required (decision 9).
 */
export const isEmail = (text: string): boolean =>
  text !== '' && text.length <= 320 && text === text.trim() && !control.test(text)

/** Whether an email looks deliverable: exactly one `@` with text on both sides, no blanks and none of `,:;<>()`. */
export function isDeliverableEmail(text: string): boolean {
  const at = text.indexOf('@')
  return isEmail(text) && !/[\s,:;<>()]/.test(text) && at > 0 && at < text.length - 1 && !text.includes('@', at + 1)
}

export const Email = v.pipe(
  v.string(),
  rule(isEmail, 'An email has 1 to 320 characters, no blanks around it and no control characters.'),
)

/** Whether a text has the form of every user-defined key of the API. */
export const isKey = (text: string): boolean => /^[A-Za-z0-9_-]{2,256}$/.test(text)

export const Key = v.pipe(v.string(), rule(isKey, 'A key has 2 to 256 of the characters A-Z, a-z, 0-9, _ and -.'))

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is `YYYY-MM-DD` of an existing day. */
export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false
  const date = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** A day whose month and day may have one digit (decision 9); it is kept as `YYYY-MM-DD`. */
export const LenientDate = v.pipe(
  v.string(),
  v.transform((text) =>
    text.replace(/^(\d{4})-(\d{1,2})-(\d{1,2})$/, (_, year: string, month: string, day: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    ),
  ),
  rule(isDate, 'A date has the form YYYY-MM-DD and exists.'),
)

const timeForm = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/

/** Normalises `HH:MM:SS` with up to three fraction digits to `HH:MM:SS.mmm`. Undefined for other texts. */
export function timeOf(text: string): string | undefined {
  const [, time, fraction = ''] = timeForm.exec(text) ?? []
  return time === undefined ? undefined : `${time}.${fraction.padEnd(3, '0')}`
}

const dateTimeForm = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** An ISO 8601 date-time in UTC with milliseconds. Undefined without seconds or offset, and beyond year 9999. */
export function momentOf(text: string): string | undefined {
  const day = dateTimeForm.exec(text)?.[1]
  if (day === undefined || !isDate(day)) return undefined
  const date = new Date(text)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined
}

/** A country code by its form alone: codes that ISO does not assign, such as UK, are accepted (decision 9). */
export const Country = v.pipe(
  v.string(),
  rule((text: string) => /^[A-Z]{2}$/.test(text), 'A country is two capital letters, such as DE.'),
)

const localeForm = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/
export const isLocale = (text: string): boolean => localeForm.test(text)

export const Locale = v.pipe(v.string(), rule(isLocale, 'A locale is a language tag such as de or de-AT.'))

export const listOf = <S extends v.GenericSchema>(element: S, most: number) =>
  v.pipe(v.array(element), v.maxLength(most))

/** A whole number within limits that both ends include. */
export const between = (least: number, most: number, text = `It goes from ${least} to ${most}.`) =>
  v.pipe(
    v.number(),
    v.safeInteger(),
    rule((value: number) => value >= least && value <= most, text),
  )

export const Version = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const Index = v.pipe(v.number(), v.safeInteger())
