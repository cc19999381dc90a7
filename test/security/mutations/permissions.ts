import {type MutationGroup, of} from './mutation.js'

/** What a token opens: scopes, stores, projects, bindings, and whose data it shows. */

const permit = of('src/api/operation/permit.ts')
const scopes = of('src/oauth/scopes.ts')
const quotes = of('src/api/quotes/operations.ts')
const customers = of('src/api/customers/access.ts')
const read = of('src/api/operation/read.ts')
const clients = of('src/api/oauth/api-clients.ts')

export const permissions: MutationGroup = {
  tests: [
    'security/scopes/i-boundaries',
    'security/scopes/i-bearer',
    'security/tokens/c-client-credentials',
    'security/input/s-input',
    'oauth/api-clients',
    'security/scopes/expansion',
    'security/scopes/trust',
  ],
  mutations: [
    permit('no scope check', "    if (!isHeld) return 'scope'\n"),
    permit(
      'no store check: a store token passes other paths',
      "  if (principal.storeKey !== undefined && principal.storeKey !== target.storeKey) return 'store'\n",
    ),
    permit('no project check', ' || principal.projectKey !== target.projectKey'),
    permit(
      'no check of the binding',
      "return fitsBinding(permission, principal) ? undefined : 'binding'",
      'return undefined',
    ),
    permit('two subjects in one token', '  if (customerId !== undefined && anonymousId !== undefined) return false\n'),
    permit('a visitor counts as a customer', 'return customerId !== undefined\n', 'return isBound(principal)\n'),
    permit(
      'no strictTokens',
      "if (strictTokens && permission.bound === undefined && isBound(principal)) return 'strict'",
    ),
    permit("a store's scope passes below an unknown store", 'then((store) => store !== undefined)', 'then(() => true)'),
    permit(
      'a store token holds scopes for the whole project',
      "principal.kind !== 'bearer' || principal.storeKey !== undefined",
      "principal.kind !== 'bearer'",
    ),
    permit('routes without a permission start', 'if (open) throw new Error', 'if (false) throw new Error'),
    scopes(
      "a store's scope covers other stores",
      'held.storeKey === undefined || held.storeKey === wanted.storeKey',
      'true',
    ),
    scopes(
      "a store's scope covers stores that begin alike",
      'held.storeKey === wanted.storeKey',
      '(wanted.storeKey ?? "").startsWith(held.storeKey)',
    ),
    scopes(
      "a store's scope covers the whole project",
      'held.storeKey === wanted.storeKey',
      'wanted.storeKey === undefined || held.storeKey === wanted.storeKey',
    ),
    scopes('scopes of another project count', 'held.projectKey !== wanted.projectKey || '),
    scopes(
      'scopes of a project that begins alike count',
      'held.projectKey !== wanted.projectKey',
      '!wanted.projectKey.startsWith(held.projectKey)',
    ),
    scopes(
      'reading implies writing',
      "name.startsWith('view_') ? [`manage_${name.slice('view_'.length)}`] : []",
      "['view', 'manage'].map((kind) => name.replace(/^(view|manage)_/, `${kind}_`))",
    ),
    scopes('more scopes than held are granted', '!usable.includes(part)', '!parseScope(part)'),
    scopes(
      'a refused scope is left out instead of refusing all',
      "  if (parts.some((part) => !usable.includes(part))) throw ApiError.of('invalid_scope', {held: usable})\n",
      '  parts.splice(0, parts.length, ...parts.filter((part) => usable.includes(part)))\n',
    ),
    scopes(
      'a binding can be asked for',
      '!scopeNames.has(name) || ',
      "(!scopeNames.has(name) && name !== 'customer_id') || ",
    ),
    scopes('a client without scopes gets a token', "if (usable.length === 0) throw ApiError.of('invalid_scope', {})"),
    scopes('a refresh gives what the client lost', 'return scope !== undefined && grants(held, scope)', 'return true'),
    quotes('no customer match for a quote', 'quote.customer?.id === customerId && '),
    quotes('quotes of all stores below a store', ' && isVisible(quote, context.storeKey)'),
    quotes('the list shows quotes of everybody', "isFacet('customerId', customerId), "),
    quotes('the list shows quotes of all stores', ', visibleIn(context)', ''),
    read("a store sees other stores' documents", 'stores.some(({key}) => key === storeKey)', 'stores.length > 0'),
    read("a store sees other stores' documents of one store", 'return store.key === storeKey', 'return true'),
    read("an expansion shows another customer's data", ': owners.includes(bound)', ': true'),
    read(
      "an expansion shows another store's data",
      ' || !isVisible(document, storeKey)) return false',
      ') return false',
    ),
    read(
      'an expansion shows what the scopes do not',
      'bound === undefined) return isReadable',
      'bound === undefined) return true',
    ),
    read("an expansion shows bound callers what is nobody's", 'isReadable || describes === true', 'true'),
    permit(
      'an action that takes more than its operation',
      'const isHeld = scope === undefined || holdsProjectWide(context, scope)',
      'const isHeld = true',
    ),
    permit('an external caller changes the trust in it', ' && !(ownTokensOnly && isForeign)'),
    permit(
      'an external caller mints API clients',
      "  if (permission.ownTokensOnly && principal.external) return 'external'\n",
    ),
    customers(
      "a store's scope writes global customers",
      'context.storeKey === undefined || customer.stores.length > 0',
      'customer.id !== ""',
    ),
    customers(
      "a store's scope moves customers",
      "if (!same && !holdsProjectWide(context, 'manage_customers')) throw writeRefused()",
    ),
    customers(
      "a store's list shows other stores' customers",
      'storeKey === undefined\n      ? undefined',
      'storeKey !== ""\n      ? undefined',
    ),
    customers(
      'customers of a store are found below an unknown one',
      "if (storeKey !== undefined && !(await runtime.state.find(project.key, 'store', `key:${storeKey}`))) return undefined",
    ),
    clients(
      'clients of another project are shown',
      'if (client?.projectKey === project.key) return client',
      'if (client) return client',
    ),
    clients('the list shows clients of all projects', "isFacet('projectKey', project.key), "),
    clients('the digest of a secret is shown', 'v.parse(ApiClientReply, client)', 'client'),
    clients('secrets are stored as they are', 'secretDigest: secrets.digest(secret)', 'secretDigest: secret'),
    clients(
      'a client makes one that may more',
      "if (missing.length > 0) throw ApiError.of('insufficient_scope', {missing: [...new Set(missing)]})",
    ),
    clients(
      'a client of another project',
      'if (scope?.projectKey === project.key) return scope',
      'if (scope) return scope',
    ),
  ],
}
