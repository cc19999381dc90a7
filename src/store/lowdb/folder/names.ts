import {join} from 'node:path'
import type {Files} from '../file/files.js'

const fileName = /^documents\.(\d+)\.jsonl$/

/** The number of a file of documents; 0 for another file. */
export const numberOf = (name: string): number => Number(fileName.exec(name)?.[1] ?? 0)

export const pathOf = (directory: string, number: number): string => join(directory, `documents.${number}.jsonl`)

/** Where a holder that closes its file says how far it goes. */
export const endPathOf = (directory: string, number: number): string => join(directory, `documents.${number}.end`)

const besideName = /^documents\.(\d+)\.(?:end|hint)$/

/** The highest number of what is beside files of documents: it was made once the first line of the file was on the disk. */
export const besideNumber = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => Number(besideName.exec(name)?.[1] ?? 0)))

/** The highest number of a file of documents, and what tells whether another process has written since. */
export interface Newest {
  readonly number: number
  readonly mark: string
}

export async function newestIn(files: Files, directory: string): Promise<Newest> {
  const number = Math.max(0, ...(await files.list(directory)).map(numberOf))
  const path = pathOf(directory, number)
  return {number, mark: `${number} ${files.identity(path)} ${(await files.stat(path))?.size}`}
}
