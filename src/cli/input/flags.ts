import {Flags, type Interfaces} from '@oclif/core'
import {forms} from '../output/view.js'

const helpGroup = 'GLOBAL'

/** What a flag with a text may say beside the name of its value in help and its summary. */
interface TextTraits {
  readonly char?: 's' | 'w'
  readonly exclusive?: string[]
  readonly dependsOn?: string[]
}

/** A flag with a text. */
export const textFlag = (helpValue: string, summary: string, traits: TextTraits = {}) =>
  Flags.string({helpValue, summary, ...traits})

/** A flag with one of some words. */
export const choiceFlag = <const T extends readonly string[]>(options: T, summary: string) =>
  Flags.option({options, summary})()

/** A flag that may be repeated, with a text each time. */
export const textsFlag = (helpValue: string, summary: string, traits: TextTraits = {}) =>
  Flags.string({helpValue, summary, ...traits, multiple: true, multipleNonGreedy: true})

/** What a command reads of flags that are declared so; the other flags of its command are none of its business. */
export type Given<F> = Partial<Omit<Interfaces.InferredFlags<F>, 'json'>>

/** Flags of every command. Environment variables are read by `settings.ts`, which knows the order of precedence. */
export const globalFlags = {
  profile: Flags.string({char: 'P', helpGroup, helpValue: 'NAME', summary: 'Target (FRONTDESK_PROFILE).'}),
  local: Flags.boolean({helpGroup, exclusive: ['profile'], summary: 'Short for --profile local.'}),
  'project-key': Flags.string({helpGroup, helpValue: 'KEY', summary: 'Project (FRONTDESK_PROJECT_KEY).'}),
  'api-url': Flags.string({helpGroup, helpValue: 'URL', summary: 'Address of the API (FRONTDESK_API_URL).'}),
  'auth-url': Flags.string({
    helpGroup,
    helpValue: 'URL',
    summary: 'Address of the authorization service (FRONTDESK_AUTH_URL).',
  }),
  data: Flags.string({helpGroup, helpValue: 'DIR', summary: 'State of the embedded target (FRONTDESK_DATA_DIR).'}),
  store: Flags.string({helpGroup, helpValue: 'KEY', summary: 'Use the in-store endpoints (FRONTDESK_STORE).'}),
  global: Flags.boolean({helpGroup, exclusive: ['store'], summary: 'Use no store, even if the profile names one.'}),
  output: Flags.option({
    char: 'o',
    helpGroup,
    options: forms,
    summary: 'Output format (FRONTDESK_OUTPUT).',
  })(),
  json: Flags.boolean({helpGroup, exclusive: ['output'], summary: 'Short for --output json.'}),
  fields: Flags.string({helpGroup, helpValue: 'A,B.C', summary: 'Show only these paths.'}),
  'no-header': Flags.boolean({helpGroup, summary: 'Leave out the header of tables and CSV.'}),
  'excel-safe': Flags.boolean({helpGroup, summary: 'Prefix CSV cells that a spreadsheet would run as formulas.'}),
  out: Flags.string({helpGroup, helpValue: 'FILE', summary: 'Write the result to a new file.'}),
  quiet: Flags.boolean({char: 'q', helpGroup, exclusive: ['verbose'], summary: 'Print no notes on stderr.'}),
  verbose: Flags.boolean({
    char: 'v',
    helpGroup,
    summary: 'Print retries, timings and request ids on stderr (FRONTDESK_VERBOSE).',
  }),
  'trace-http': Flags.string({
    helpGroup,
    helpValue: 'FILE.har',
    summary: 'Write a redacted trace of all requests; without a file, to stderr.',
  }),
  timeout: Flags.string({helpGroup, helpValue: '30s', summary: 'Time limit for each request (FRONTDESK_TIMEOUT).'}),
  retries: Flags.integer({
    helpGroup,
    helpValue: 'N',
    min: 0,
    max: 20,
    summary: 'Repeats of a failed request (FRONTDESK_RETRIES).',
  }),
  'ca-file': Flags.string({
    helpGroup,
    helpValue: 'FILE',
    summary: 'PEM file of an additional certificate authority (FRONTDESK_CA_FILE).',
  }),
  'correlation-id': Flags.string({
    helpGroup,
    helpValue: 'ID',
    summary: 'Sent as X-Correlation-ID (FRONTDESK_CORRELATION_ID).',
  }),
  'no-input': Flags.boolean({helpGroup, summary: 'Never prompt (FRONTDESK_NO_INPUT, CI).'}),
  yes: Flags.boolean({char: 'y', helpGroup, summary: 'Answer confirmations with yes.'}),
  'confirm-profile': Flags.string({helpGroup, helpValue: 'NAME', summary: 'Confirms a write to a protected profile.'}),
  'dry-run': Flags.boolean({helpGroup, summary: 'Show what would be written, and send nothing.'}),
  redact: Flags.boolean({helpGroup, summary: 'Mask personal data (FRONTDESK_REDACT).'}),
  reveal: Flags.string({
    helpGroup,
    helpValue: 'FIELD',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Show a field that would be masked.',
  }),
  'no-color': Flags.boolean({helpGroup, summary: 'No colour (NO_COLOR, FORCE_COLOR).'}),
}

/** Flags of commands that write. */
export const writeFlags = {
  reason: textFlag('TEXT', 'Reason of the write, for the audit log (FRONTDESK_REASON).'),
  ticket: textFlag('ID', 'Ticket number, for the audit log (FRONTDESK_TICKET).'),
}

export const expandFlags = {
  expand: textsFlag('PATH', 'Include the resource that a reference points to (repeatable).'),
}

/** Flags of commands that read. */
export const readFlags = {
  ...expandFlags,
  assert: textsFlag(
    "'PATH OP VALUE'",
    'End with code 9 unless this is true (repeatable). OP: = != < > exists missing matches.',
  ),
}

export const whereFlags = {
  where: textsFlag('PREDICATE', 'Only results that match the predicate (repeatable: all must match).', {char: 'w'}),
  var: textsFlag('NAME=VALUE', 'Value of :NAME in a predicate (repeatable).'),
}

/** Flags of queries. */
export const queryFlags = {
  ...whereFlags,
  sort: textsFlag("'PATH [asc|desc]'", 'Sort order (repeatable).', {char: 's'}),
  limit: Flags.integer({char: 'n', helpValue: 'N', summary: 'Largest number of results: 0 to 500, 20 by default.'}),
  offset: Flags.integer({helpValue: 'N', summary: 'Number of results to skip: 0 to 10000.'}),
  all: Flags.boolean({exclusive: ['limit', 'offset'], summary: 'All results, also beyond offset 10000.'}),
  'with-total': Flags.boolean({allowNo: true, summary: 'Count all matches; on by default for one page.'}),
  'expect-count': textFlag('N|N..M', 'End with code 9 unless this many results match.'),
  ...readFlags,
}
