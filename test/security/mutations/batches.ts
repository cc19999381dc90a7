import {type MutationGroup, of} from './mutation.js'

/** What many sign-ups in one request could lose of what each has for itself. */

const batch = of('src/api/accounts/batch.ts')

export const batches: MutationGroup = {
  folders: ['test/security/scopes'],
  tests: ['api/accounts/batch'],
  mutations: [
    batch(
      'drafts of a batch are not validated',
      'validated<CustomerDraft>(createCustomer.body as never, jsonObject(draft))',
      'draft as CustomerDraft',
    ),
    batch('whoever may read may create many', "anyOf: ['manage_customers']", "anyOf: ['view_customers']"),
    batch('the second of an identity overtakes the first', 'earlier.length === 0', 'earlier.length >= 0'),
    batch('a fault of the server passes for a refusal', '    if (isFault(error)) return new Fault(error)\n'),
    batch('batches without end', ', v.maxLength(limits.batchedDrafts)'),
  ],
}
