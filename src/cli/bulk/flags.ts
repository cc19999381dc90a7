import {extname} from 'node:path'
import {Flags} from '@oclif/core'
import {maxTtlMinutes} from '../../domain/credentials/one-time-token.js'
import {defined} from '../../domain/equal.js'
import {presetNames} from '../../transfer/presets/preset-names.js'
import type {NewPasswordsOptions} from '../../transfer/write/new-passwords.js'
import {
  choiceFlag,
  defaultFlag,
  type FlagValues,
  type globalFlags,
  numberFlag,
  outputFile,
  switchFlag,
  textFlag,
  textsFlag,
  type whereFlags,
} from '../input/flags.js'
import {durationMinutes} from '../process/durations.js'
import {usage} from '../process/failure.js'

/** How the bytes of a file become rows. */
export const inputFlags = {
  format: choiceFlag(['csv', 'json', 'jsonl', 'xml'], 'Format of the input, if its name does not show it.'),
  sheet: textFlag('NAME|N', 'Sheet of an Excel workbook (.xlsx), by its name or number; by default the first.'),
  'header-row': numberFlag('Row with the column names (0: none); by default the first not blank.', {min: 0}),
  encoding: textFlag('NAME', 'Encoding of the input, such as windows-1252; UTF-8 and UTF-16 are recognised.'),
}

/** The preset of a shop, and its parts that need a resource at the target. */
export const presetFlags = {
  preset: choiceFlag(
    presetNames,
    'Map the customer export of this shop; --map-file, --map, --set-all and --transform change its map.',
  ),
  'custom-type': textFlag('KEY', 'Import columns without a field as custom fields of this type.', {
    dependsOn: ['preset'],
  }),
  'with-groups': switchFlag('Import customer groups by key.', {dependsOn: ['preset']}),
  'with-stores': switchFlag('Import stores by key.', {dependsOn: ['preset']}),
}

/** How the rows of a file become drafts. */
export const mappingFlags = {
  ...presetFlags,
  map: textsFlag('SOURCE=TARGET', 'Import this column into this field (repeatable).'),
  'map-file': textFlag('FILE', "Map file, in JSON; 'customers template' prints one."),
  'join-file': textsFlag('FILE', 'File with addresses of the customers, joined as the map says (repeatable).'),
  'set-all': textsFlag('TARGET=VALUE', 'Set this field to this value in every row (repeatable).'),
  transform: textsFlag(
    'TARGET=NAME',
    'Transform a field: country, date:dd-mm-yyyy, lower, trim, prefix:TEXT and others (repeatable).',
  ),
  ...inputFlags,
}

/** How rows find their customers, and what happens then. */
export const matchFlags = {
  match: choiceFlag(
    ['key', 'email', 'externalId', 'customerNumber'],
    'Field by which rows find their customers; key, unless the map names another.',
  ),
  mode: defaultFlag(
    ['create', 'update', 'upsert'],
    'upsert',
    'Create new customers, update existing ones, or both (upsert).',
  ),
  'password-mode': defaultFlag(
    ['column', 'generate', 'reset-links', 'external-auth'],
    'column',
    'Passwords of new customers: from a column (hashes at local servers only), generated, random with a reset token (reset-links), or none.',
  ),
  'on-newer': defaultFlag(
    ['keep', 'overwrite', 'fail'],
    'keep',
    'What to do with fields that somebody else changed since the last run: keep and list them, overwrite them, or fail the row.',
  ),
  addresses: choiceFlag(
    ['add', 'replace'],
    'Add the addresses of the row beside all others (add), or remove all that the row lacks (replace); by default an address of the row updates the most similar one, and only addresses that an earlier run brought are removed (of JSON documents without a map: all, for customers whom no earlier run wrote).',
  ),
  'skip-invalid': switchFlag('Skip invalid rows; they count as failed.'),
}

/** Which of several rows about one customer counts. */
export const duplicateFlags = {
  'on-duplicate': textFlag(
    'first|last|newest:COLUMN',
    'Row that counts if several have the same key, email or number; the others are skipped. If absent, such rows are invalid.',
    {exclusive: ['since']},
  ),
}

export const referenceFlags = {
  'create-references': switchFlag(
    'First create the customer groups and stores that rows name by a key and the target lacks.',
    {exclusive: ['plan-out']},
  ),
}

export const pressureFlags = {
  concurrency: Flags.integer({
    helpValue: 'N',
    min: 1,
    max: 256,
    default: 16,
    summary: 'Largest number of requests at the same time, each on a connection of its own: 1 to 256.',
  }),
  rate: textFlag('N/s', 'Largest number of requests per second.'),
}

export const sinceFlags = {
  since: textFlag(
    'WHEN|last',
    'Only customers changed since a day, a moment, or an age such as 30d; last continues where the last such run ended, last:NAME keeps a separate mark.',
  ),
  overlap: textFlag('5m', 'Time that --since last goes back before its mark; 5m if absent.', {dependsOn: ['since']}),
}

/** Where passwords and tokens of new customers go. */
export const passwordFileFlags = {
  'generated-passwords': outputFile('FILE', 'New file for the generated passwords; only you can read it.', {
    writes: 'continued',
  }),
  'reset-links': outputFile(
    'FILE',
    'New file for the tokens with which new customers set their passwords; only you can read it.',
    {writes: 'continued'},
  ),
  'reset-links-ttl': textFlag('7d', 'Lifetime of these tokens, up to 30d; 7d if absent.'),
}

/** Flags that act in some modes alone. */
const ofModes = [
  {names: ['generated-passwords'], mode: 'password-mode', values: ['generate']},
  {names: ['reset-links', 'reset-links-ttl'], mode: 'password-mode', values: ['reset-links']},
  {names: ['on-newer', 'addresses'], mode: 'mode', values: ['update', 'upsert']},
] as const

/** Throws usage for a flag that was given and has no effect in the mode of the run. */
export function refuseOfOtherModes(given: ReadonlySet<string>, flags: object): void {
  for (const {names, mode, values} of ofModes) {
    const value: unknown = Reflect.get(flags, mode)
    const idle = names.filter((name) => given.has(name))
    // What a plan file says is not known yet.
    if (idle.length === 0 || given.has('apply') || values.some((one) => one === value)) continue
    throw usage(
      `--${idle[0]} has no effect with --${mode} ${value}.`,
      `Add --${mode} ${values.at(-1)}, or leave it out.`,
    )
  }
}

export function passwordFilesOf(flags: BulkFlags): NewPasswordsOptions {
  const {'reset-links': path, 'reset-links-ttl': ttl = '7d'} = flags
  const ttlMinutes = durationMinutes(ttl, '--reset-links-ttl')
  if (ttlMinutes < 1 || ttlMinutes > maxTtlMinutes) throw usage('--reset-links-ttl goes from 1m to 30d.')
  const resetLinks = path === undefined ? undefined : {path, ttlMinutes}
  return defined({passwordFile: flags['generated-passwords'], resetLinks})
}

/** Flags of runs that write and can be resumed. */
export const jobFlags = {
  ...passwordFileFlags,
  'max-failures': textFlag(
    'N|P%',
    'Stop when more than this many rows fail (default: if the first 100 rows all fail for the same reason). 100% never stops.',
  ),
  resume: switchFlag('Continue the interrupted run of the same command.'),
  report: outputFile(
    'FILE',
    'File for the failed rows, by default beside the journal of the job; a name ending in .html writes a page about the run.',
    {writes: 'replaced'},
  ),
}

/** The flags of bulk commands; each has some of them. */
export type BulkFlags = FlagValues<
  typeof globalFlags &
    typeof whereFlags &
    typeof mappingFlags &
    typeof matchFlags &
    typeof duplicateFlags &
    typeof referenceFlags &
    typeof pressureFlags &
    typeof sinceFlags &
    typeof jobFlags
>

/** Whether a report is to be a page for people; every other name means what it always meant. */
export const isPage = (path: string | undefined): path is string =>
  path !== undefined && /^\.html?$/i.test(extname(path))
