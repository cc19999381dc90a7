import type {Form} from './view.js'

export interface Counted {
  readonly count: number
  readonly limit?: number
  readonly offset?: number
  readonly total?: number
}

/**
 * What is said of results that are not all there are; `more` tells how to see the rest. Nothing for forms that show the
 * counts themselves.
 */
export function cutNote(
  {count, limit, offset = 0, total}: Counted,
  form: Form | undefined,
  more: string,
): string | undefined {
  if (form === 'json' || form === 'yaml') return undefined
  if (total !== undefined) return total > offset + count ? `${count} of ${total} shown: ${more}` : undefined
  return count > 0 && count === limit ? `${count} shown, and there may be more: ${more}` : undefined
}
