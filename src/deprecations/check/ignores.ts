import {entryOf} from '../catalogue/index.js'

/** Whether a comment in a file lets a finding pass, and the rule ids in such comments that do not exist. */
export interface Ignores {
  readonly covers: (line: number, ruleId: string) => boolean
  readonly unknown: readonly {readonly line: number; readonly id: string}[]
}

const comment = /frontdesk-ignore-(next-)?line\b[ \t]*([^\n]*)/g
const id = /^[\w-]+$/

/** The ids behind a comment's word, up to its end or the reason behind two dashes. */
const idsIn = (rest: string): readonly string[] => {
  const [list = ''] = rest.split(/(?:^|\s)--(?:\s|$)|\*\/|-->|["'`]/)
  return list
    .split(/[\s,]+/)
    .map((word) => word.trim())
    .filter((word) => id.test(word))
}

/** `frontdesk-ignore-line` and `frontdesk-ignore-next-line`, each for all rules or for the ids behind it. */
export const ignoresIn = (text: string): Ignores => {
  if (!text.includes('frontdesk-ignore-')) return {covers: () => false, unknown: []}
  const byLine = new Map<number, readonly string[]>()
  const unknown: {line: number; id: string}[] = []
  let line = 1
  let passed = 0
  for (const found of text.matchAll(comment)) {
    line += text.slice(passed, found.index).split('\n').length - 1
    passed = found.index
    const ids = idsIn(found[2] ?? '')
    for (const one of ids) if (!entryOf(one)) unknown.push({line, id: one})
    byLine.set(found[1] === undefined ? line : line + 1, ids)
  }
  return {
    unknown,
    covers: (at, ruleId) => {
      const ids = byLine.get(at)
      return ids !== undefined && (ids.length === 0 || ids.includes(ruleId))
    },
  }
}
