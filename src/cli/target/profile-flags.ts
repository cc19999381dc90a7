import {resolve} from 'node:path'
import {Flags} from '@oclif/core'
import {choiceFlag, type Given, textFlag} from '../input/flags.js'
import {checkedSource} from '../input/secret-sources.js'
import {forms} from '../output/view.js'
import {usage} from '../process/failure.js'
import {checkedLink, checkedProjectKey, checkedStoreKey, checkedUrl} from './addresses.js'
import type {Profile} from './profiles.js'
import type {GlobalFlags} from './settings.js'

/** Settings of a profile that no global flag gives. */
export const profileFlags = {
  kind: choiceFlag(
    ['remote', 'server', 'embedded'],
    'Kind of target; remote if an address is given, otherwise embedded.',
  ),
  'client-id': textFlag('ID', 'Id of the API client.'),
  'secret-from': textFlag(
    'PLACE',
    'Where the secret is: env:NAME, file:PATH, command:LINE (its first line), or keyring (see login).',
  ),
  scopes: textFlag('"SCOPE …"', 'Scopes to request; all scopes of the client if absent.'),
  'default-output': choiceFlag(forms, 'Default output format.'),
  'read-only': Flags.boolean({summary: 'Refuse writes.'}),
  protected: Flags.boolean({summary: 'Ask for the name of the profile before a write.'}),
  'require-reason': Flags.boolean({summary: 'Refuse writes without --reason.'}),
  'reset-link': textFlag(
    'URL',
    'Page where customers set a password, with {token} in its place: `reset-password` shows the link.',
  ),
  'verify-link': textFlag('URL', 'Page where customers verify their email, with {token} in its place.'),
  'always-redact': Flags.boolean({summary: 'Mask personal data.'}),
}

export type ProfileFlags = GlobalFlags & Given<typeof profileFlags>

/** A profile from flags alone: environment variables are never written into a profile. */
export function profileFrom(flags: ProfileFlags): Profile {
  const api = flags['api-url']
  const kind = flags.kind ?? (api === undefined ? 'embedded' : 'remote')
  const projectKey = flags['project-key']
  if (projectKey === undefined) throw usage('The project is missing.', 'Add --project-key KEY.')
  if (kind === 'remote' && api === undefined) throw usage('The address is missing.', 'Add --api-url URL.')
  if (kind === 'embedded' && api !== undefined)
    throw usage('An embedded profile has no address.', 'Leave out --api-url.')
  return {
    kind,
    projectKey: checkedProjectKey(projectKey, '--project-key'),
    ...addressFields(flags),
    ...credentials(flags),
    ...text('output', flags['default-output']),
    ...text('resetLink', checkedLink(flags['reset-link'], '--reset-link')),
    ...text('verifyLink', checkedLink(flags['verify-link'], '--verify-link')),
    ...(flags['read-only'] ? {readOnly: true} : {}),
    ...(flags.protected ? {protected: true} : {}),
    ...(flags['require-reason'] ? {requireReason: true} : {}),
    ...(flags['always-redact'] ? {redact: true} : {}),
  }
}

const text = (name: string, value: string | undefined) => (value === undefined ? {} : {[name]: value})

const addressFields = (flags: ProfileFlags) => ({
  ...text('apiUrl', flags['api-url'] === undefined ? undefined : checkedUrl(flags['api-url'], '--api-url')),
  ...text('authUrl', flags['auth-url'] === undefined ? undefined : checkedUrl(flags['auth-url'], '--auth-url')),
  ...text('store', flags.store === undefined ? undefined : checkedStoreKey(flags.store, '--store')),
  ...text('dataDir', flags.data === undefined ? undefined : resolve(flags.data)),
  ...text('caFile', flags['ca-file'] === undefined ? undefined : resolve(flags['ca-file'])),
})

const credentials = (flags: ProfileFlags) => ({
  ...text('clientId', flags['client-id']),
  ...text('scopes', flags.scopes),
  ...(flags['secret-from'] === undefined ? {} : {secret: {from: checkedSource(flags['secret-from'])}}),
})
