import {defined} from '../../domain/equal.js'
import type {Source} from './row.js'

/** How a file was read that is not plain UTF-8, and why. */
export type ReadAs = {readonly file: string} & Partial<Pick<Source, 'encoding' | 'because' | 'compression' | 'sheet'>>

/** How a source is read, or nothing if it is plain UTF-8. */
export function readAs({name, encoding, because, compression, sheet}: Source): ReadAs | undefined {
  if (sheet !== undefined) return {file: name, sheet, ...defined({because})}
  const isPlain = encoding === 'utf-8' && compression === undefined
  return isPlain ? undefined : {file: name, encoding, ...defined({because, compression})}
}

export function readAsText({file, encoding, because, compression, sheet}: ReadAs): string {
  const parts = [
    ...(compression === undefined ? [] : [`decompressed (${compression})`]),
    ...(encoding === undefined || encoding === 'utf-8' ? [] : [`read as ${encoding}`]),
    ...(sheet === undefined ? [] : [`sheet '${sheet}'`]),
    ...(because === undefined ? [] : [`since ${because}`]),
  ]
  return `${file}: ${parts.join(', ')}${because === undefined ? '' : `; --${sheet === undefined ? 'encoding' : 'sheet'} names another`}`
}
