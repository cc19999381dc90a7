/**
 * The declarations that callers outside the client name in `call`; the API itself is not theirs to import. A command
 * imports the file of its area, so that it loads no other; this list is for the library.
 */
export * from './operations/collection-table.js'
export * from './operations/customer-updates.js'
export * from './operations/customers.js'
export * from './operations/emails.js'
export * from './operations/messages.js'
export * from './operations/my-quotes.js'
export * from './operations/oauth.js'
export * from './operations/operation.js'
export * from './operations/passwords.js'
export * from './operations/permit.js'
export * from './operations/project.js'
export * from './operations/sign-in.js'
export * from './operations/sign-up.js'
