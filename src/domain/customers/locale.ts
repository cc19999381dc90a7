import {ApiError} from '../errors.js'
import {isLocale} from '../rules.js'

/**
 * The locale in the project's spelling: it must be a language of the project, ignoring case (decision 9). A project
 * without languages accepts every well-formed locale (decision 2). Throws InvalidInput.
 */
export function projectLocale(locale: string, languages: readonly string[]): string {
  if (languages.length === 0) {
    if (isLocale(locale)) return locale
    throw ApiError.of('InvalidInput', {message: `The locale '${locale}' is no language tag, such as de or de-AT.`})
  }
  const wanted = locale.toLowerCase()
  const language = languages.find((tag) => tag.toLowerCase() === wanted)
  if (language !== undefined) return language
  const message = `The locale '${locale}' is not a language of the project: ${languages.join(', ')}.`
  throw ApiError.of('InvalidInput', {message})
}
