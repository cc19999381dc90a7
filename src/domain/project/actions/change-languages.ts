import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {Locale} from '../../rules.js'
import {projectAction} from '../project-action.js'

const maxLanguages = 500

export const changeLanguages = projectAction({
  name: 'changeLanguages',
  summary: 'replace the languages; without any, every well-formed tag is taken',
  schema: v.object({languages: v.pipe(v.array(Locale), v.maxLength(maxLanguages))}),
  messages: [],
  apply: (project, {languages}) => ({next: withMember(project, 'languages', withoutRepeats(languages))}),
})

/** Tags compare without case; of repeats the first stays (decision 2). */
function withoutRepeats(languages: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const tag of languages) {
    const lower = tag.toLowerCase()
    if (!first.has(lower)) first.set(lower, tag)
  }
  return [...first.values()]
}
