import {globalFlags} from '../input/flags.js'
import {forms, formTraits} from '../output/view.js'
import {exitCodes} from '../process/exit-codes.js'

/** The topics of `frontdesk help TOPIC`: text by name, each with one line for the overview. */
export interface Topic {
  readonly summary: string
  readonly text: () => string
}

const rows = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}

const exits = (): string => `Every command ends with one of these codes, the same with and without --json.

${rows(Object.values(exitCodes).map(({code, when}) => [String(code), when]))}`

const flags = (): string => `Every command accepts these flags.

${rows(
  Object.entries<{char?: string; helpValue?: string | string[]; summary?: string; type: string}>(globalFlags).map(
    ([name, {char, helpValue, summary, type}]) => [
      `${char ? `-${char}, ` : '    '}--${name}${type === 'option' ? ` ${String(helpValue ?? 'FORM')}` : ''}`,
      summary ?? '',
    ],
  ),
)}`

const environment =
  (): string => `A flag takes precedence over a variable, a variable over the profile, the profile over the default. Beside -P NAME,
variables for address, project, store and credentials do not count; beside --local, the one for the project does.
\`frontdesk whoami --origins\` says where each value came from.

${rows([
  ['FRONTDESK_PROFILE', 'the profile, as --profile'],
  ['FRONTDESK_PROJECT_KEY', 'the project, as --project-key'],
  ['FRONTDESK_API_URL', 'address of the API, as --api-url; makes the target remote'],
  ['FRONTDESK_AUTH_URL', 'address of the authorization service, as --auth-url'],
  ['FRONTDESK_CLIENT_ID, FRONTDESK_CLIENT_SECRET', 'an API client, for CI'],
  ['FRONTDESK_TOKEN', 'an access token, instead of an API client'],
  ['FRONTDESK_DATA_DIR', 'state of the embedded target, as --data'],
  ['FRONTDESK_CONFIG_DIR, FRONTDESK_CACHE_DIR', 'folders of the profiles; of tokens and compiled code'],
  ['FRONTDESK_KEEP_DAYS', 'days that jobs and replaced values are kept on this machine; 30 if absent'],
  ['FRONTDESK_STORE', 'the store whose endpoints are used, as --store'],
  ['FRONTDESK_OUTPUT', 'form of the result, as --output'],
  ['FRONTDESK_VERBOSE', 'retries, timings and request ids, as --verbose'],
  ['FRONTDESK_TIMEOUT, FRONTDESK_RETRIES', 'limits of requests, as --timeout and --retries'],
  ['FRONTDESK_CA_FILE', 'a further certificate authority, as --ca-file'],
  ['FRONTDESK_CORRELATION_ID', 'sent with every request, as --correlation-id'],
  ['FRONTDESK_REASON, FRONTDESK_TICKET', 'for the audit log, as --reason and --ticket'],
  ['FRONTDESK_NO_INPUT, CI', 'never prompt, as --no-input'],
  ['FRONTDESK_REDACT', 'mask personal data, as --redact'],
  ['FRONTDESK_STORE_URL, PGPASSWORD', 'the PostgreSQL database of a server, and its password'],
  ['FRONTDESK_CALLBACK_API_KEY', 'the key that callback serve and callback check use'],
  ['FRONTDESK_INTROSPECTION_AUTHORIZATION', 'the header that introspection serve and introspection check use'],
  ['FRONTDESK_FALLBACK_AUTHORIZATION', 'the header for the address of --fallback'],
  ['FRONTDESK_DEBUG', 'show where an error comes from'],
  ['FRONTDESK_PLAIN_START', '1 starts without the cached compiled code: slower, for comparison'],
  ['HTTPS_PROXY, NO_PROXY', 'the proxy of remote targets'],
  ['NO_COLOR, FORCE_COLOR', 'colour off, colour on'],
])}`

const output = (): string => `stdout carries the result and nothing else; notes, prompts and errors go to stderr.

${rows(forms.map((form) => [`-o ${form}`, formTraits[form].summary]))}

--fields key,addresses.0.city   only these paths, in this order
--no-header                     no header in tables and CSV
--excel-safe                    an apostrophe before cells that a spreadsheet would run
--out FILE                      into a new file that only you can read
--redact, --reveal FIELD        personal data masked, but for the named fields

A failure with --json is {"error":{code,message,exitCode,statusCode?,correlationId?,hints[],details[]}}.`

const predicates =
  (): string => `A predicate selects the results of a query: frontdesk customers query -w 'lastName = "Byron"'.

  comparisons   firstName = "Ada"   version > 3   email != "a@b.de"   <  <=  >=
  lists         lastName in ("Byron", "King")   stores(key = "berlin")
  presence      key is defined   externalId is not defined   addresses is empty
  nested        addresses(city = "Berlin" and country = "DE")
  combined      (a = 1 or b = 2) and not (c = 3)

Text is written in double quotes. Never build a predicate from input: use a variable and pass its value with --var,
where it cannot change the predicate:

  frontdesk customers query -w 'lastName = :name' --var 'name=O"Brien'

-w may be repeated: all predicates must match. lowercaseEmail compares emails without case.`

const importing =
  (): string => `frontdesk customers import FILE reads CSV, JSON, JSON Lines, XML and .xlsx, also as .gz, and writes only what differs.

  1. frontdesk customers template FILE > map.json     a map file to start from
  2. frontdesk customers import FILE --map-file map.json --dry-run
  3. frontdesk customers import FILE --map-file map.json

The whole file is validated before anything is written. A second run reports every row unchanged and sends nothing.
Failed rows are in the report, which --retry-failed reads; --resume continues after an interruption.
A column that is neither mapped nor a field is listed and ignored.`

const safety = (): string => `  target      every write names its target on stderr: target: <profile> (<project>)
  --dry-run   shows what would be written, and sends nothing
  profiles    readOnly refuses writes; protected asks for the profile's name, or --confirm-profile NAME;
              requireReason asks for --reason; they hold for the target, however a command reaches it
  prompts     only if stdin and stderr are terminals, CI is unset and --no-input is absent; otherwise a missing answer
              ends with code 12 and names the flag that gives it
  secrets     never a flag value: a hidden prompt, --…-stdin, --…-file, the environment for CI, or a credential command;
              a stored secret belongs to one address and one project and is sent nowhere else
  audit       one line before and one after each write: frontdesk audit list
  erasing     --erase-personal-data erases from the state; snapshots, \`.damaged-…\` folders of repairs and your own
              files are kept, and the command names them
  versions    an update carries the version it read; a concurrent change ends with code 5, or --on-conflict retry
  terminals   control characters, escape sequences and bidirectional overrides from outside are shown escaped`

export const topics: ReadonlyMap<string, Topic> = new Map([
  ['exit-codes', {summary: 'exit codes of commands', text: exits}],
  ['flags', {summary: 'flags of every command', text: flags}],
  ['environment', {summary: 'environment variables and their precedence', text: environment}],
  ['output', {summary: 'output formats', text: output}],
  ['predicates', {summary: 'the query language', text: predicates}],
  ['import', {summary: 'how to import customers', text: importing}],
  ['safety', {summary: 'how writes and secrets are protected', text: safety}],
])

/** Commands and groups of them by what people come for; the rest stands behind them. */
export const tasks: readonly (readonly [task: string, names: readonly string[]])[] = [
  ['SERVE CUSTOMERS', ['desk', 'customers', 'quotes', 'messages', 'audit', 'jobs']],
  ['CONNECT TO A PROJECT', ['login', 'logout', 'profiles', 'whoami', 'token']],
  ['TEST AND DEVELOP', ['server', 'check', 'callback', 'introspection', 'deprecations', 'api']],
]

/** Where each kind of user begins. */
export const beginnings: readonly (readonly [situation: string, command: string])[] = [
  ['A customer is on the phone?', 'frontdesk desk'],
  ['A project of your own', 'frontdesk login production'],
  ['Looking around, on this machine', 'frontdesk server seed demo'],
  ['A server for tests', 'frontdesk help server exec'],
  ['Customers to import', 'frontdesk help import'],
]

/** One line about each group of commands. */
export const groups: ReadonlyMap<string, string> = new Map([
  ['customers', 'create, read, change, find and move customers'],
  ['customers password-token', 'the steps of a password reset, one by one'],
  ['customers email-token', 'the steps of an email verification, one by one'],
  ['quotes', 'read, accept, decline and renegotiate quotes as a customer'],
  ['token', 'issue, inspect and revoke OAuth tokens'],
  ['messages', 'messages that the API stores about changes'],
  ['server', 'the local server'],
  ['deprecations', 'features that the API deprecated or removed'],
  ['check', 'checks of a project for CI'],
  ['callback', 'the in-store callback'],
  ['introspection', 'the external introspection endpoint'],
  ['profiles', 'names for targets: an address, a project and an API client'],
  ['audit', 'who wrote what, when and why'],
  ['jobs', 'bulk runs'],
])
