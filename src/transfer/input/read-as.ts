import {defined} from '../../domain/equal.js'
import type {Source} from './source.js'

/** How a file was read that is not plain UTF-8, and why. */
export interface ReadAs {
  readonly file: string
  readonly encoding?: string
  readonly because?: string
  readonly compression?: 'gzip'
}

/** How a source is read, or nothing if it is plain UTF-8. */
export function readAs({name, encoding, because, compression}: Source): ReadAs | undefined {
  const isPlain = encoding === 'utf-8' && compression === undefined
  return isPlain ? undefined : {file: name, encoding, ...defined({because, compression})}
}

/** The same for people, in one line. */
export function readAsText({file, encoding, because, compression}: ReadAs): string {
  const parts = [
    ...(compression === undefined ? [] : [`decompressed (${compression})`]),
    ...(encoding === undefined || encoding === 'utf-8' ? [] : [`read as ${encoding}`]),
    ...(because === undefined ? [] : [`since ${because}`]),
  ]
  return `${file}: ${parts.join(', ')}${because === undefined ? '' : '; --encoding names another'}`
}
