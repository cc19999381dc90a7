import type {PasswordMode, RowDraft} from '../input/row-draft.js'

const hasPasswordMode = (draft: RowDraft): boolean => draft.authenticationMode !== 'ExternalAuth'

const isGiven = (text: string | null | undefined): boolean => typeof text === 'string' && text !== ''

/** Whether creating the row's customer takes a password that the row does not have. */
export const lacksPassword = (draft: RowDraft): boolean =>
  hasPasswordMode(draft) && !isGiven(draft.password) && !isGiven(draft.passwordHash)

/** The row as far as it is compared with a customer that exists. */
export function comparable(draft: RowDraft, mode: PasswordMode): RowDraft {
  // Customers that this mode creates have no password, whatever their export says.
  if (mode !== 'external-auth' || draft.authenticationMode !== 'Password') return draft
  const {authenticationMode: _, ...rest} = draft
  return rest
}

const ofBodies: ReadonlySet<string> = new Set(['password', 'passwordHash', 'authenticationMode', 'addresses'])
const ofAddresses: ReadonlySet<string> = new Set(['id'])

/** A copy without nulls and without some members. A loop, since this runs for every row: all else costs more. */
function given(value: object, others: ReadonlySet<string>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (member !== null && member !== undefined && !others.has(name)) kept[name] = member
  }
  return kept
}

/** The body that creates the row's customer: at once, unless a password is missing, which `newPassword` is asked for. */
export function creationOf(
  draft: RowDraft,
  mode: PasswordMode,
  newPassword: (draft: RowDraft) => Promise<string>,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const {password, passwordHash, authenticationMode, addresses} = draft
  const body = given(draft, ofBodies)
  if (addresses) body['addresses'] = addresses.map((address) => given(address, ofAddresses))
  if (mode === 'external-auth') body['authenticationMode'] = 'ExternalAuth'
  else if (authenticationMode) body['authenticationMode'] = authenticationMode
  if (mode === 'external-auth') return body
  if (isGiven(passwordHash)) body['passwordHash'] = passwordHash
  else if (isGiven(password)) body['password'] = password
  else if (mode !== 'column' && hasPasswordMode(draft))
    return newPassword(draft).then((made) => ({...body, password: made}))
  return body
}
