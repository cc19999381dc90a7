import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {didYouMean, usage} from '../process/failure.js'

/** What a profile may have the desk ask of a caller, by the API's names of the fields. */
export interface CallerField {
  readonly name: string
  readonly label: string
  /** The members of the customer, or of each address, that have it. */
  readonly members: readonly string[]
  readonly isOfAddress: boolean
}

const ofCustomer = ['dateOfBirth', 'customerNumber', 'externalId', 'companyName', 'vatId']
/** A telephone number is one of the customer, whichever member has it. */
const ofAddress = new Map<string, readonly string[]>([
  ...['postalCode', 'city', 'streetName'].map((name) => [name, [name]] as const),
  ['phone', ['phone', 'mobile', 'fax']],
])

const callerFields: readonly CallerField[] = [
  ...fieldRows
    .filter(({name}) => ofCustomer.includes(name))
    .map(({name, label}) => ({name, label, members: [name], isOfAddress: false})),
  ...addressFields.flatMap(({name, label}) => {
    const members = ofAddress.get(name)
    return members === undefined ? [] : [{name, label, members, isOfAddress: true}]
  }),
]

const callerFieldNames = callerFields.map(({name}) => name)

/** The fields that a text names, with blanks or commas between them. Throws usage for any other. */
export function callerFieldsIn(text: string, origin: string): readonly CallerField[] {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
  if (names.length === 0) throw usage(`${origin} names no field.`, `Choose of ${callerFieldNames.join(', ')}.`)
  return names.map((name) => {
    const field = callerFields.find((one) => one.name === name)
    if (field) return field
    throw usage(
      `${origin} names '${name}', which no caller can be asked for.`,
      didYouMean(name, callerFieldNames),
      `Choose of ${callerFieldNames.join(', ')}.`,
    )
  })
}
