import {resolve} from 'node:path'
import {defined} from '../../domain/equal.js'
import {choiceFlag, type FlagValues, switchFlag, textFlag} from '../input/flags.js'
import {checkedSource} from '../input/secret-sources.js'
import {forms} from '../output/view.js'
import {usage} from '../process/failure.js'
import {checkedLink, checkedProjectKey, checkedStoreKey, checkedUrl} from './addresses.js'
import {callerFieldsIn} from './caller-fields.js'
import type {Profile} from './profiles.js'
import {checkedFolder, type GlobalFlags} from './settings.js'

/** Settings of a profile that no global flag gives. */
export const profileFlags = {
  'client-id': textFlag('ID', 'Id of the API client.'),
  'secret-from': textFlag(
    'PLACE',
    'Read the secret from env:NAME, file:PATH or command:LINE (its first line) each time; it is not stored.',
    {exclusive: ['secret-stdin', 'secret-file']},
  ),
  scopes: textFlag('"SCOPE …"', 'Scopes to request; all scopes of the client if absent.'),
  'default-output': choiceFlag(forms, 'Default output format.'),
  'read-only': switchFlag('Refuse writes.'),
  protected: switchFlag('Ask for the name of the profile before a write.'),
  'require-reason': switchFlag('Refuse writes without --reason.'),
  'reset-link': textFlag(
    'URL',
    'Page where customers set a password, with {token} in its place: `reset-password` shows the link.',
  ),
  'verify-link': textFlag('URL', 'Page where customers verify their email, with {token} in its place.'),
  'ask-caller': textFlag(
    '"FIELD …"',
    'Fields that a caller must state before the desk shows them and acts, such as "dateOfBirth postalCode".',
  ),
  'always-redact': switchFlag('Mask personal data.'),
}

type ProfileFlags = GlobalFlags & FlagValues<typeof profileFlags>

/** Whether flags make a profile of the local state: `--local`, or the folder of `--data`. */
export const isFolder = (flags: GlobalFlags): boolean => flags.local === true || flags.data !== undefined

/** A profile from flags alone: environment variables are never written into a profile. */
export function profileFrom(flags: ProfileFlags): Profile {
  const api = flags['api-url']
  const projectKey = flags['project-key']
  if (projectKey === undefined) throw usage('The project is missing.', 'Add --project-key KEY.')
  if (api === undefined && !isFolder(flags)) {
    throw usage('The address is missing.', 'Add --api-url URL, or --local for the state on this machine.')
  }
  if (isFolder(flags) && (api ?? flags['auth-url']) !== undefined) {
    throw usage('A profile has an address or a folder.', 'Leave out --api-url and --auth-url, or --local and --data.')
  }
  const checked = (name: 'api-url' | 'auth-url' | 'store', check: typeof checkedUrl) =>
    flags[name] === undefined ? undefined : check(flags[name], `--${name}`)
  const from = flags['secret-from']
  const asked = flags['ask-caller']
  return defined({
    projectKey: checkedProjectKey(projectKey, '--project-key'),
    apiUrl: checked('api-url', checkedUrl),
    authUrl: checked('auth-url', checkedUrl),
    store: checked('store', checkedStoreKey),
    dataDir: flags.data === undefined ? undefined : checkedFolder(flags.data),
    caFile: flags['ca-file'] === undefined ? undefined : resolve(flags['ca-file']),
    clientId: flags['client-id'],
    scopes: flags.scopes,
    secret: from === undefined ? undefined : {from: checkedSource(from)},
    output: flags['default-output'],
    resetLink: checkedLink(flags['reset-link'], '--reset-link'),
    verifyLink: checkedLink(flags['verify-link'], '--verify-link'),
    askCaller:
      asked === undefined
        ? undefined
        : callerFieldsIn(asked, '--ask-caller')
            .map(({name}) => name)
            .join(' '),
    readOnly: flags['read-only'] || undefined,
    protected: flags.protected || undefined,
    requireReason: flags['require-reason'] || undefined,
    redact: flags['always-redact'] || undefined,
  })
}
