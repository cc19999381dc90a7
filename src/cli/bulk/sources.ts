import {defined} from '../../domain/equal.js'
import type {RowFormat, Source} from '../../transfer/input/source.js'
import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'

export interface InputFiles {
  readonly files: readonly string[]
  readonly format?: RowFormat | undefined
  /** A report of failed rows to read instead; `files` then only give the passwords. */
  readonly report?: string | undefined
}

export interface OpenInput {
  readonly sources: readonly Source[]
  readonly originals?: readonly Source[]
  dispose(): Promise<void>
}

/** Opens what an import reads. */
export async function openInput({files, format, report}: InputFiles, io: Io): Promise<OpenInput> {
  if (files.length === 0 && report === undefined) throw usage('Name a file, or - for the standard input.')
  if (files.filter((file) => file === '-').length > 1) throw usage('- can be read only once.')
  const {openSources} = await import('../../transfer/input/source.js')
  const options = {stdin: io.stdin, ...defined({format})}
  const given = files.length > 0 ? await openSources(files, options) : undefined
  if (report === undefined) return {sources: given?.list ?? [], dispose: async () => given?.dispose()}
  try {
    const reported = await openSources([report], {format: 'csv', stdin: io.stdin})
    return {
      sources: reported.list,
      ...(given ? {originals: given.list} : {}),
      dispose: async () => {
        await Promise.all([given?.dispose(), reported.dispose()])
      },
    }
  } catch (error) {
    await given?.dispose()
    throw error
  }
}
