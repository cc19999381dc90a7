import {availableParallelism} from 'node:os'
import {dirname, resolve} from 'node:path'
import {defined} from '../../domain/equal.js'
import type {OnDuplicate} from '../../transfer/check/duplicates.js'
import type {Mapping} from '../../transfer/mapping/mapping.js'
import type {BulkOptions} from '../../transfer/run/options.js'
import {usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import {readText} from '../process/system-errors.js'
import {isLoopback} from '../target/addresses.js'
import type {ResolvedTarget} from '../target/target.js'
import type {BulkFlags} from './flags.js'

/** The map of a preset, with the parts that the flags ask for. */
export async function presetFrom(flags: BulkFlags): Promise<Mapping> {
  const {preset} = flags
  if (preset === undefined) return {}
  const {presetMapping, presetNamed} = await import('../../transfer/presets/presets.js')
  const [groups, stores, customType] = [flags['with-groups'], flags['with-stores'], flags['custom-type']]
  const chosen = presetNamed(preset)
  for (const [part, asked] of Object.entries({groups, stores})) {
    if (!asked || part in chosen) continue
    throw usage(`The export of ${chosen.label} has no ${part}.`, `Leave out --with-${part}.`)
  }
  return presetMapping(chosen, defined({customType, groups, stores}))
}

/** The map by preset, file and flags; each wins over what stands before it. */
export async function mappingFrom(flags: BulkFlags): Promise<Mapping> {
  const {mappingOf, overlaid, withTexts} = await import('../../transfer/mapping/mapping.js')
  const path = flags['map-file']
  const preset = await presetFrom(flags)
  const file = path === undefined ? {} : mappingOf(readText(path, 'Check --map-file.', 'map file'), path)
  const base = flags.preset === undefined ? file : overlaid(preset, file)
  const texts = defined({columns: flags.map, constants: flags['set-all'], transforms: flags.transform})
  return withJoinFiles(withTexts(base, texts), flags, file.join !== undefined)
}

/** The mapping with the files of its joins, which stand beside the map file or are named by the flag; a preset needs none. */
function withJoinFiles({join, ...mapping}: Mapping, flags: BulkFlags, isNeeded: boolean): Mapping {
  const {'join-file': named = [], 'map-file': mapFile = ''} = flags
  if (named.length > (join ?? []).length)
    throw usage('--join-file names a file for which the map has no join.', 'Add join to the map file.')
  const found = (join ?? []).flatMap((rule, at) => {
    const file = named[at] ?? (rule.file === undefined ? undefined : resolve(dirname(mapFile), rule.file))
    // A workbook says itself how it is read.
    const encoding = rule.encoding ?? (/\.xlsx$/i.test(file ?? '') ? undefined : flags.encoding)
    if (file !== undefined) return [{...rule, ...defined({encoding}), file: resolve(file)}]
    if (isNeeded) throw usage('The map has a join without a file.', 'Add --join-file FILE.')
    return []
  })
  return found.length > 0 ? {...mapping, join: found} : mapping
}

/** Measured: one bcrypt hash with cost 10 on one current core. */
const msPerHash = 56

export async function bulkOptions(flags: BulkFlags, {target}: ResolvedTarget): Promise<BulkOptions> {
  const isLocal = target.kind === 'embedded' || isLoopback(target.apiUrl)
  return {
    mapping: await mappingFrom(flags),
    signal: interruption(),
    ...defined({
      match: flags.match,
      mode: flags.mode,
      passwordMode: flags['password-mode'],
      onNewer: flags['on-newer'],
      addresses: flags.addresses,
      skipInvalid: flags['skip-invalid'],
      createsReferences: flags['create-references'],
      onDuplicate: flags['on-duplicate'] === undefined ? undefined : onDuplicateOf(flags['on-duplicate']),
      concurrency: flags.concurrency,
      ratePerSecond: flags.rate === undefined ? undefined : rateOf(flags.rate),
      retries: flags.retries,
      maxFailures: flags['max-failures'] === undefined ? undefined : await maxFailures(flags['max-failures']),
    }),
    ...(isLocal ? {hashing: {msPerHash, workers: availableParallelism()}} : {}),
  }
}

function onDuplicateOf(text: string): OnDuplicate {
  if (text === 'first' || text === 'last') return text
  const newest = /^newest:(.+)$/s.exec(text)?.[1]
  if (newest !== undefined) return {newest}
  throw usage(
    `--on-duplicate does not take '${text}'.`,
    'Write first, last or newest:COLUMN, such as newest:updated_at.',
  )
}

export async function maxFailures(text: string) {
  const {maxFailuresOf} = await import('../../transfer/run/failure-limit.js')
  const most = maxFailuresOf(text)
  if (most) return most
  throw usage(
    `--max-failures does not take '${text}'.`,
    'Write a number of rows, such as 20, or a share of them, such as 5%.',
  )
}

/** Requests a second of `--rate`. */
export function rateOf(text: string): number {
  const rate = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1])
  if (rate > 0) return rate
  throw usage(`'${text}' is not a rate.`, 'Write requests per second, such as --rate 50/s.')
}
