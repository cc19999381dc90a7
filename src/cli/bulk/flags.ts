import {Flags} from '@oclif/core'
import {defined} from '../../domain/equal.js'
import {presetNames} from '../../transfer/presets/preset-names.js'
import type {NewPasswordsOptions} from '../../transfer/write/new-passwords.js'
import type {Given} from '../input/flags.js'
import {durationMinutes} from '../process/durations.js'
import {usage} from '../process/failure.js'

const many = {multiple: true, multipleNonGreedy: true} as const

/** How the bytes of a file become rows. */
export const inputFlags = {
  format: Flags.option({
    options: ['csv', 'json', 'jsonl', 'xml'] as const,
    summary: 'Format of the input, if its name does not show it.',
  })(),
  sheet: Flags.string({
    helpValue: 'NAME|N',
    summary: 'Sheet of an Excel workbook (.xlsx), by its name or number; by default the first.',
  }),
  'header-row': Flags.integer({
    helpValue: 'N',
    min: 1,
    summary: 'Row with the column names; by default the first that is not blank.',
  }),
  encoding: Flags.string({
    helpValue: 'NAME',
    summary: 'Encoding of the input, such as windows-1252; recognised if absent.',
  }),
}

/** The map of a shop's export, and what of it needs something at the target. */
export const presetFlags = {
  preset: Flags.option({
    options: presetNames,
    summary: 'Map the customer export of this shop; --map-file, --map, --set-all and --transform change its map.',
  })(),
  'custom-type': Flags.string({
    helpValue: 'KEY',
    dependsOn: ['preset'],
    summary: 'Import columns without a field as custom fields of this type.',
  }),
  'with-groups': Flags.boolean({dependsOn: ['preset'], summary: 'Import customer groups by key; they must exist.'}),
  'with-stores': Flags.boolean({dependsOn: ['preset'], summary: 'Import stores by key; they must exist.'}),
}

/** How the rows of a file become drafts. */
export const mappingFlags = {
  ...presetFlags,
  map: Flags.string({
    ...many,
    helpValue: 'SOURCE=TARGET',
    summary: 'Import this column into this field (repeatable).',
  }),
  'map-file': Flags.string({helpValue: 'FILE', summary: "Map file, in JSON; 'customers template' prints one."}),
  'join-file': Flags.string({
    helpValue: 'FILE',
    summary: 'File with the addresses of the customers, joined as the map says.',
  }),
  'set-all': Flags.string({
    ...many,
    helpValue: 'TARGET=VALUE',
    summary: 'Set this field to this value in every row (repeatable).',
  }),
  transform: Flags.string({
    ...many,
    helpValue: 'TARGET=NAME',
    summary: 'Transform a field: country, date:dd-mm-yyyy, lower, trim, prefix:TEXT and others (repeatable).',
  }),
  ...inputFlags,
}

/** How rows find their customers, and what happens then. */
export const matchFlags = {
  match: Flags.option({
    options: ['key', 'email', 'externalId', 'customerNumber'] as const,
    summary: 'Field by which rows find their customers; key, unless the map names another.',
  })(),
  mode: Flags.option({
    options: ['create', 'update', 'upsert'] as const,
    default: 'upsert',
    summary: 'Create new customers, update existing ones, or both (upsert).',
  })(),
  'password-mode': Flags.option({
    options: ['column', 'generate', 'reset-links', 'external-auth'] as const,
    default: 'column',
    summary:
      'Passwords of new customers: from a column (hashes at local servers only), generated, random with a reset token (reset-links), or none.',
  })(),
  'skip-invalid': Flags.boolean({summary: 'Skip invalid rows; they count as failed.'}),
}

/** Limits on the load of the target. */
export const pressureFlags = {
  concurrency: Flags.integer({
    helpValue: 'N',
    min: 1,
    max: 256,
    default: 16,
    summary: 'Largest number of requests at the same time, each on a connection of its own: 1 to 256.',
  }),
  rate: Flags.string({helpValue: 'N/s', summary: 'Largest number of requests per second.'}),
}

export const shardFlags = {
  shard: Flags.string({
    helpValue: 'I/N',
    summary: 'Import part I of N of the rows, chosen by a hash of the --match field; all rows are checked.',
  }),
}

/** Where passwords and tokens of new customers go. */
export const passwordFileFlags = {
  'generated-passwords': Flags.string({
    helpValue: 'FILE',
    summary: 'New file for the generated passwords; only you can read it.',
  }),
  'reset-links': Flags.string({
    helpValue: 'FILE',
    summary: 'New file for the tokens with which new customers set their passwords; only you can read it.',
  }),
  'reset-links-ttl': Flags.string({
    helpValue: '7d',
    summary: 'Lifetime of these tokens, up to 30d; 7d if absent.',
  }),
}

export type PasswordFileFlags = Given<typeof passwordFileFlags>

const mostMinutes = 43_200

/** The files that these flags name. */
export function passwordFilesOf(flags: PasswordFileFlags): NewPasswordsOptions {
  const {'reset-links': path, 'reset-links-ttl': ttl = '7d'} = flags
  const ttlMinutes = durationMinutes(ttl, '--reset-links-ttl')
  if (ttlMinutes < 1 || ttlMinutes > mostMinutes) throw usage('--reset-links-ttl goes from 1m to 30d.')
  const resetLinks = path === undefined ? undefined : {path, ttlMinutes}
  return defined({passwordFile: flags['generated-passwords'], resetLinks})
}

/** Flags of runs that write and can be resumed. */
export const jobFlags = {
  ...passwordFileFlags,
  'max-failures': Flags.string({
    helpValue: 'N|P%',
    summary: 'Stop when more rows fail; if absent, when the first hundred fail for the same reason. 100% never stops.',
  }),
  resume: Flags.boolean({summary: 'Continue the interrupted run of the same command.'}),
  report: Flags.string({
    helpValue: 'FILE',
    summary:
      'File for the failed rows, by default beside the journal of the job; a name ending in .html writes a page about the run.',
  }),
}

/** A page about what a command found. */
export const pageFlags = {
  report: Flags.string({helpValue: 'FILE.html', summary: 'Also write an HTML page; it loads nothing.'}),
}
