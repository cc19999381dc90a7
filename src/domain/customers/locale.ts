import {ApiError} from '../errors.js'

/** A locale must be a language of the project, compared without case; a project without languages takes any (decision 2). */
export function checkLocale(locale: string, languages: readonly string[]): void {
  if (languages.length === 0) return
  const wanted = locale.toLowerCase()
  if (languages.some((language) => language.toLowerCase() === wanted)) return
  throw ApiError.of('InvalidField', {
    field: 'locale',
    invalidValue: locale,
    allowedValues: languages,
    rule: 'It must be a language of the project.',
  })
}
