import {Flags} from '@oclif/core'

const many = {multiple: true, multipleNonGreedy: true} as const

/** How the rows of a file become drafts. */
export const mappingFlags = {
  map: Flags.string({
    ...many,
    helpValue: 'SOURCE=TARGET',
    summary: 'Column and the member that it fills (repeatable).',
  }),
  'map-file': Flags.string({helpValue: 'FILE', summary: "Map as JSON; 'customers template' prints one."}),
  'set-all': Flags.string({...many, helpValue: 'TARGET=VALUE', summary: 'Value that every row gets (repeatable).'}),
  transform: Flags.string({
    ...many,
    helpValue: 'TARGET=NAME',
    summary: 'country, date:dd-mm-yyyy, lower, trim or slug-key on a member (repeatable).',
  }),
  format: Flags.option({
    options: ['csv', 'json', 'jsonl'] as const,
    summary: 'Form of the input, if its name does not tell.',
  })(),
}

/** How rows find their customers, and what happens then. */
export const matchFlags = {
  match: Flags.option({
    options: ['key', 'email', 'externalId', 'customerNumber'] as const,
    default: 'key',
    summary: 'Member by which a row finds its customer.',
  })(),
  mode: Flags.option({
    options: ['create', 'update', 'upsert'] as const,
    default: 'upsert',
    summary: 'Only new customers, only existing ones, or both.',
  })(),
  'password-mode': Flags.option({
    options: ['column', 'generate', 'external-auth'] as const,
    default: 'column',
    summary: 'Passwords of new customers: from a column (hashes at local servers only), generated, or none.',
  })(),
  'skip-invalid': Flags.boolean({summary: 'Leave invalid rows out; they count as failed.'}),
}

/** How hard the target is pressed. */
export const pressureFlags = {
  concurrency: Flags.integer({
    helpValue: 'N',
    min: 1,
    max: 256,
    default: 16,
    summary: 'Requests in flight at the most.',
  }),
  rate: Flags.string({helpValue: 'N/s', summary: 'Requests that may begin in a second.'}),
}

/** Flags of runs that write and can be resumed. */
export const jobFlags = {
  'generated-passwords': Flags.string({
    helpValue: 'FILE',
    summary: 'New file for generated passwords, readable by you only.',
  }),
  resume: Flags.boolean({summary: 'Go on with the same run that ended before its end.'}),
  report: Flags.string({helpValue: 'FILE', summary: 'Where failed rows go; by default beside the journal of the job.'}),
}
