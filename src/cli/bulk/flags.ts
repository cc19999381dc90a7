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
    summary: 'Row of a table with the names of its columns; by default the first that is not blank.',
  }),
  encoding: Flags.string({
    helpValue: 'NAME',
    summary: 'Encoding of the input, such as windows-1252 or utf-16le, if it is not to be told by its bytes.',
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
    summary: 'Keep what the preset has no field for as custom fields of this type.',
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
  'map-file': Flags.string({helpValue: 'FILE', summary: "Map as JSON; 'customers template' prints one."}),
  'join-file': Flags.string({
    helpValue: 'FILE',
    summary: 'Second file of the map, with the addresses of the customers; the map says how it is joined.',
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
    summary: 'Field by which the customer of a row is found: key, unless the map names another.',
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
      'Passwords of new customers: from a column (hashes at local servers only), generated, generated and kept by nobody (reset-links), or none.',
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
    summary: 'Only part I of N of the rows, by a hash of what --match names; all rows are still checked.',
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
    summary: 'How long these tokens are valid, up to 30d; 7d unless given.',
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
    summary: 'Stop when more rows fail; if absent, when the first hundred all fail alike. 100% never stops.',
  }),
  resume: Flags.boolean({summary: 'Continue the interrupted run of the same command.'}),
  report: Flags.string({
    helpValue: 'FILE',
    summary: 'File for the failed rows, by default beside the journal of the job; FILE.html is a page about the run.',
  }),
}

/** A page about what a command found. */
export const pageFlags = {
  report: Flags.string({helpValue: 'FILE.html', summary: 'Also write a page for people: one file, nothing to load.'}),
}
