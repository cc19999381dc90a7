import {defined, pick} from '../../domain/equal.js'
import type {ReadAs} from '../../transfer/input/read-as.js'
import type {Source, SourceOptions} from '../../transfer/input/row.js'
import type {Sources} from '../../transfer/input/source.js'
import type {Listener} from '../../transfer/run/events.js'
import {usage} from '../process/failure.js'
import {interrupted, interruption} from '../process/interruption.js'
import type {Io} from '../process/io.js'
import type {BulkFlags} from './flags.js'

/** How the bytes of files become rows, by flags. */
export type InputFlags = Pick<BulkFlags, 'format' | 'encoding' | 'sheet' | 'header-row'>

export interface InputFiles extends InputFlags {
  readonly files: readonly string[]
  /** A report of failed rows to read instead; `files` then only give the passwords. */
  readonly report?: string | undefined
}

interface OpenInput {
  readonly sources: readonly Source[]
  readonly originals?: readonly Source[]
}

/** The part of a result that tells how files were read that are not plain UTF-8. */
export interface InputNote {
  readonly inputs?: readonly ReadAs[]
}

export const inputOf = (flags: InputFlags): InputFlags => pick(flags, ['format', 'encoding', 'sheet', 'header-row'])

/** Opens the input of an import, uses and closes it; reports to the listener and in the result how it was read. */
export async function withInput<R extends object>(
  {files, report, 'header-row': headerRow, ...flags}: InputFiles,
  {stdin}: Io,
  onEvent: Listener,
  use: (input: OpenInput) => Promise<R>,
): Promise<R & InputNote> {
  if (files.length === 0 && report === undefined) throw usage('Name a file, or - for the standard input.')
  if (files.filter((file) => file === '-').length > 1) throw usage('- can be read only once.')
  const given = files.length === 0 ? undefined : await opened(files, {stdin, ...defined({...flags, headerRow})})
  try {
    const reported = report === undefined ? undefined : await opened([report], {format: 'csv'})
    const {readAs} = await import('../../transfer/input/read-as.js')
    const [sources = [], originals] = reported ? [reported.list, given?.list] : [given?.list]
    const inputs = [...sources, ...(originals ?? [])].flatMap((source) => readAs(source) ?? [])
    for (const each of inputs) onEvent({type: 'read-as', ...each})
    const result = await use({sources, ...defined({originals})})
    return inputs.length > 0 ? {...result, inputs} : result
  } finally {
    await given?.dispose()
  }
}

async function opened(files: readonly string[], options: SourceOptions): Promise<Sources> {
  const {openSources} = await import('../../transfer/input/source.js')
  const signal = interruption()
  try {
    return await openSources(files, {...options, signal})
  } catch (error) {
    throw signal.aborted ? interrupted('Interrupted while the input was read; nothing was sent.') : error
  }
}
