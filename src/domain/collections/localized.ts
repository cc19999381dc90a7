import * as v from 'valibot'
import {isObject} from '../equal.js'
import {isLocale, rule} from '../rules.js'

/** Texts by language tag. */
export type LocalizedString = Readonly<Record<string, string>>

export const isLocalized = (value: unknown): value is LocalizedString =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string')

export const localizedRule = 'A localized string has texts by language tag, such as de or de-AT.'

export const hasLocales = (texts: LocalizedString): boolean => Object.keys(texts).every(isLocale)

/** `v.record` would take an array for an object without members. The metadata is what OpenAPI says of it. */
export const Localized = v.pipe(
  v.custom<LocalizedString>(isLocalized, 'expected an object of texts by language tag'),
  rule(hasLocales, localizedRule),
  v.metadata({type: 'object', additionalProperties: {type: 'string'}}),
)
