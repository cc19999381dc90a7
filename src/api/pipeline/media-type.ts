import {ApiError} from '../../domain/errors.js'

/** Throws unless a Content-Type is the wanted one, its charset UTF-8 or absent. The error does not echo the value. */
export function checkMediaType(given: string | undefined, wanted: string): void {
  if (given === wanted) return
  const [type = '', ...parameters] = (given ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charsets.every((charset) => charset.slice('charset='.length).replaceAll('"', '') === 'utf-8')
  if (type === wanted && isUtf8) return
  const message = `The body must have the content type ${wanted}${isUtf8 ? '' : ' in UTF-8'}.`
  throw ApiError.of(wanted === 'application/json' ? 'UnsupportedMediaType' : 'invalid_request', {message})
}
