import {defined} from '../../domain/equal.js'
import type {ReadAs} from '../../transfer/input/read-as.js'
import type {Source} from '../../transfer/input/row.js'
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

export interface OpenInput {
  readonly sources: readonly Source[]
  readonly originals?: readonly Source[]
  dispose(): Promise<void>
}

/** The part of a result that tells how files were read that are not plain UTF-8. */
export interface InputNote {
  readonly inputs?: readonly ReadAs[]
}

export const inputOf = ({format, encoding, sheet, 'header-row': row}: InputFlags): InputFlags => ({
  ...{format, encoding, sheet},
  'header-row': row,
})

/** Opens what an import reads, uses and closes it; the listener and the result are told how it was read. */
export async function withInput<R extends object>(
  named: InputFiles,
  io: Io,
  onEvent: Listener,
  use: (input: OpenInput) => Promise<R>,
): Promise<R & InputNote> {
  const input = await openInput(named, io)
  try {
    const {readAs} = await import('../../transfer/input/read-as.js')
    const inputs = [...input.sources, ...(input.originals ?? [])].flatMap((source) => readAs(source) ?? [])
    for (const each of inputs) onEvent({type: 'read-as', ...each})
    const result = await use(input)
    return inputs.length > 0 ? {...result, inputs} : result
  } finally {
    await input.dispose()
  }
}

async function openInput({files, report, 'header-row': headerRow, ...flags}: InputFiles, io: Io): Promise<OpenInput> {
  if (files.length === 0 && report === undefined) throw usage('Name a file, or - for the standard input.')
  if (files.filter((file) => file === '-').length > 1) throw usage('- can be read only once.')
  const given = files.length > 0 ? await opened(files, io, defined({...flags, headerRow})) : undefined
  if (report === undefined) return {sources: given?.list ?? [], dispose: async () => given?.dispose()}
  try {
    const reported = await opened([report], io, {format: 'csv'})
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

async function opened(files: readonly string[], {stdin}: Io, flags: Partial<InputFlags>): Promise<Sources> {
  const {openSources} = await import('../../transfer/input/source.js')
  const signal = interruption()
  try {
    return await openSources(files, {stdin, signal, ...defined(flags)})
  } catch (error) {
    throw signal.aborted ? interrupted('Interrupted while the input was read; nothing was sent.') : error
  }
}
