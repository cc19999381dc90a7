import {searchText} from '../../domain/search/search-text.js'
import type {Candidate} from '../../store/searchable.js'
import type {Document} from '../../store/store.js'
import {type Matching, none} from './full-text.js'

/** The document of a candidate with those elements of the list of a field of which each, alone in it, matches. */
export function withElements(name: string, {strength}: Matching): (candidate: Candidate) => Document {
  const [list = ''] = name.split('.')
  return (candidate) => {
    const document = candidate.document() as Document
    const all: unknown = Reflect.get(document, list)
    if (!Array.isArray(all)) return document
    return {...document, [list]: all.filter((element) => strength(alone(document, list, element)) !== none)}
  }
}

function alone(document: Document, list: string, element: unknown): Candidate {
  const one = {...document, [list]: [element]}
  let text: string | undefined
  return {
    id: document.id,
    text: () => {
      text ??= searchText(one)
      return text
    },
    document: () => one,
  }
}
