/** Masks personal data in documents before they are shown. */

const personal = new Set([
  'email',
  'firstName',
  'lastName',
  'middleName',
  'dateOfBirth',
  'vatId',
  'companyName',
  'company',
  'phone',
  'mobile',
  'fax',
  'streetName',
  'streetNumber',
  'additionalStreetInfo',
  'additionalAddressInfo',
  'postalCode',
  'city',
  'building',
  'apartment',
  'pOBox',
  'oldEmail',
])

/** `ada@example.com` as `a***@e***.com`; other text as its first character. */
function masked(text: string): string {
  const [, first, host, end] = /^(.).*@(.).*?(\.[^.]+)?$/su.exec(text) ?? []
  if (first !== undefined) return `${first}***@${host}***${end ?? ''}`
  return text === '' ? '' : `${[...text][0]}***`
}

/** A copy with personal members masked, except those that were asked for by name. */
export function redacted(value: unknown, revealed: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, revealed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!personal.has(name) || revealed.has(name)) return [name, redacted(inner, revealed)]
      return [name, typeof inner === 'string' ? masked(inner) : inner]
    }),
  )
}
