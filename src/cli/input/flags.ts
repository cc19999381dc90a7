import {Args, Flags, type Interfaces} from '@oclif/core'
import type {Existing} from '../output/out-file.js'
import {forms} from '../output/view.js'

const helpGroup = 'GLOBAL'

/** What a flag with a text may say beside the name of its value in help and its summary. */
interface TextTraits {
  readonly char?: 's' | 'w'
  readonly exclusive?: string[]
  readonly dependsOn?: string[]
  readonly helpGroup?: string
}

export const textFlag = (helpValue: string, summary: string, traits: TextTraits = {}) =>
  Flags.string({helpValue, summary, ...traits})

/**
 * A flag that names a file which the command writes. The base command takes the place of each before the first request;
 * `writes`: what becomes of a file that is there.
 */
export function outputFile(
  helpValue: string,
  summary: string,
  {writes = 'refused', ...traits}: TextTraits & {readonly writes?: Existing} = {},
) {
  const flag = textFlag(helpValue, summary, traits)
  Object.assign(flag, {writes})
  return flag
}

export const switchFlag = (summary: string, traits: Pick<TextTraits, 'dependsOn' | 'exclusive'> = {}) =>
  Flags.boolean({summary, ...traits})

/** A whole number, at least 1 unless `min` says otherwise. */
export const numberFlag = (
  summary: string,
  traits: Pick<TextTraits, 'dependsOn'> & {min?: number; max?: number} = {},
) => Flags.integer({helpValue: 'N', min: 1, summary, ...traits})

/** A choice with a value where the flag is absent. */
export const defaultFlag = <const T extends readonly string[]>(options: T, byDefault: T[number], summary: string) =>
  Flags.option({options, default: byDefault, summary})()

/** An argument. None takes stdin unasked: `-` stands for it where a command says so. */
export const optionalArg = (description: string) => Args.string({ignoreStdin: true, description})

export const requiredArg = (description: string) => Args.string({required: true, ignoreStdin: true, description})

export const optionalArgs = (description: string) => Args.string({multiple: true, ignoreStdin: true, description})

export const requiredArgs = (description: string) =>
  Args.string({multiple: true, required: true, ignoreStdin: true, description})

export const choiceFlag = <const T extends readonly string[]>(
  options: T,
  summary: string,
  traits: Pick<TextTraits, 'dependsOn'> = {},
) => Flags.option({options, summary, ...traits})()

export const textsFlag = (helpValue: string, summary: string, traits: TextTraits = {}) =>
  Flags.string({helpValue, summary, ...traits, multiple: true, multipleNonGreedy: true})

/** The values of some declared flags, for code that is independent of the other flags of a command. */
export type FlagValues<F> = Partial<Omit<Interfaces.InferredFlags<F>, 'json'>>

const globalText = (helpValue: string, summary: string) => Flags.string({helpGroup, helpValue, summary})

const globalSwitch = (summary: string, more: {readonly char?: 'q' | 'v' | 'y'; readonly exclusive?: string[]} = {}) =>
  Flags.boolean({helpGroup, summary, ...more})

/** Flags of every command. Environment variables are read by `settings.ts`, which knows the order of precedence. */
export const globalFlags = {
  profile: Flags.string({char: 'P', helpGroup, helpValue: 'NAME', summary: 'Target (FRONTDESK_PROFILE).'}),
  local: globalSwitch('Short for --profile local.', {exclusive: ['profile']}),
  'project-key': globalText('KEY', 'Project (FRONTDESK_PROJECT_KEY).'),
  'api-url': globalText('URL', 'Address of the API (FRONTDESK_API_URL).'),
  'auth-url': globalText('URL', 'Address of the authorization service (FRONTDESK_AUTH_URL).'),
  data: globalText('DIR', 'State of the embedded target (FRONTDESK_DATA_DIR).'),
  store: globalText('KEY', 'Use the in-store endpoints (FRONTDESK_STORE).'),
  global: globalSwitch('Use no store, even if the profile names one.', {exclusive: ['store']}),
  output: Flags.option({char: 'o', helpGroup, options: forms, summary: 'Output format (FRONTDESK_OUTPUT).'})(),
  json: globalSwitch('Short for --output json.', {exclusive: ['output']}),
  fields: globalText('A,B.C', 'Show only these paths.'),
  'no-header': globalSwitch('Leave out the header of tables and CSV.'),
  'excel-safe': globalSwitch('Prefix CSV cells that a spreadsheet would run as formulas.'),
  out: outputFile('FILE', 'Write the result to a new file.', {helpGroup}),
  quiet: globalSwitch('Print no notes on stderr.', {char: 'q', exclusive: ['verbose']}),
  verbose: globalSwitch('Print retries, timings and request ids on stderr (FRONTDESK_VERBOSE).', {char: 'v'}),
  'trace-http': outputFile('FILE.har', 'Write a redacted trace of all requests; without a file, to stderr.', {
    helpGroup,
  }),
  timeout: globalText('30s', 'Time limit for each request (FRONTDESK_TIMEOUT).'),
  retries: Flags.integer({
    helpGroup,
    helpValue: 'N',
    min: 0,
    max: 20,
    summary: 'Repeats of a failed request (FRONTDESK_RETRIES).',
  }),
  'ca-file': globalText('FILE', 'PEM file of an additional certificate authority (FRONTDESK_CA_FILE).'),
  'correlation-id': globalText('ID', 'Sent as X-Correlation-ID (FRONTDESK_CORRELATION_ID).'),
  'no-input': globalSwitch('Never prompt (FRONTDESK_NO_INPUT, CI).'),
  yes: globalSwitch('Answer confirmations with yes.', {char: 'y'}),
  'confirm-profile': globalText('NAME', 'Confirms a write to a protected profile.'),
  'dry-run': globalSwitch('Show what would be written, and send nothing.'),
  redact: globalSwitch('Mask personal data (FRONTDESK_REDACT).'),
  reveal: textsFlag('FIELD', 'Show a field that would be masked.', {helpGroup}),
  'no-color': globalSwitch('No colour (NO_COLOR, FORCE_COLOR).'),
}

export const writeFlags = {
  reason: textFlag('TEXT', 'Reason of the write, for the audit log (FRONTDESK_REASON).'),
  ticket: textFlag('ID', 'Ticket number, for the audit log (FRONTDESK_TICKET).'),
}

export const expandFlags = {
  expand: textsFlag('PATH', 'Include the resource that a reference points to (repeatable).'),
}

export const readFlags = {
  ...expandFlags,
  assert: textsFlag(
    "'PATH OP VALUE'",
    'End with code 9 unless this is true (repeatable). OP: = != < > exists missing matches.',
  ),
}

export const whereFlags = {
  where: textsFlag('PREDICATE', 'Only results that match the predicate (repeatable: all must match).', {char: 'w'}),
  var: textsFlag('NAME=VALUE', 'Value of :NAME in a predicate (repeatable; the same name again makes a list).', {
    dependsOn: ['where'],
  }),
}

export const queryFlags = {
  ...whereFlags,
  sort: textsFlag("'PATH [asc|desc]'", 'Sort order (repeatable).', {char: 's'}),
  limit: Flags.integer({char: 'n', helpValue: 'N', summary: 'Largest number of results: 0 to 500, 20 by default.'}),
  offset: Flags.integer({helpValue: 'N', summary: 'Number of results to skip: 0 to 10000.'}),
  all: Flags.boolean({exclusive: ['limit', 'offset', 'with-total'], summary: 'All results, also beyond offset 10000.'}),
  'with-total': Flags.boolean({allowNo: true, summary: 'Count all matches; on by default for one page.'}),
  'expect-count': textFlag('N|N..M', 'End with code 9 unless this many results match.'),
  ...readFlags,
}
