import {notePasswordWork} from '../../api/accounts/password-work.js'
import type {ApiClient} from '../../api/documents/api-client.js'
import {putOf} from '../../api/operation/commit.js'
import type {Runtime} from '../../api/operation/context.js'
import {storedKinds} from '../../api/operation/stored-kinds.js'
import {newCredential, withHash} from '../../domain/credentials/credential.js'
import {costOf, hashProblem} from '../../domain/credentials/password-hash.js'
import type {Customer} from '../../domain/customers/customer.js'
import {clashOf, uniqueKeysOf} from '../../domain/customers/identity.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Project} from '../../domain/project/project.js'
import {isEmail, isKey} from '../../domain/rules.js'
import {type Document, type Put, REALM, UniqueConflict, type UniqueKey, VersionConflict} from '../../store/store.js'
import {checkProjectKey, newProject} from './first-use.js'
import {packFor, refused, type SeedClient, type SeedPack, type SeedResource} from './seed-pack.js'
import {storedFormOf} from './stored-form.js'

/** Whether a project was seeded, and with how many resources. */
export interface SeedResult {
  /** False: the project was not empty, and nothing was changed (decision 2). */
  readonly seeded: boolean
  readonly counts: Readonly<Record<string, number>>
}

/** Changes per commit; a large project takes several commits, and exists with the last one. */
const chunk = 2000

/** Reads a seed pack and creates a project from it. Throws InvalidSetup and the errors of seedProject. */
export async function seedFromFolder(runtime: Runtime, projectKey: string, folder: string): Promise<SeedResult> {
  return seedProject(runtime, projectKey, await packFor(projectKey, folder, runtime.secrets.uuid))
}

const maxTries = 20

/**
 * Creates a project from a pack, checked as a whole first; a project that exists and has nothing in it is filled. Of several servers that seed a database at once, each goes on
 * where it met another, until one of them has made the project. Throws InvalidSetup with file, index and reason.
 */
export async function seedProject(runtime: Runtime, projectKey: string, pack: SeedPack): Promise<SeedResult> {
  checkProjectKey(projectKey)
  checkPackKey(pack, projectKey)
  for (let tries = 1; ; tries += 1) {
    const before = await runtime.state.get<Project>(REALM, 'project', projectKey)
    if (before && !(await isEmpty(runtime, projectKey))) return {seeded: false, counts: {}}
    try {
      return await (before ? added : madeFrom)(runtime, projectKey, pack)
    } catch (error) {
      if (!(error instanceof VersionConflict || error instanceof UniqueConflict) || tries === maxTries) throw error
    }
  }
}

async function isEmpty({state}: Runtime, projectKey: string): Promise<boolean> {
  const kinds = storedKinds.filter(({within}) => within === 'project')
  // Counted, not read: an index may be damaged and on its way.
  const counting = {limit: 0, offset: 0, count: {cap: 1}}
  const counts = await Promise.all(kinds.map(({kind}) => state.query(projectKey, kind, counting)))
  return counts.every(({total}) => total === 0)
}

async function madeFrom(runtime: Runtime, projectKey: string, pack: SeedPack): Promise<SeedResult> {
  const now = new Date(runtime.clock()).toISOString()
  const {puts, clients} = await documentsOf(runtime, projectKey, pack, now)
  for (let at = 0; at < puts.length; at += chunk) {
    await runtime.state.commit(projectKey, await overwriting(runtime, projectKey, puts.slice(at, at + chunk)))
  }
  const project = {...newProject(projectKey, now), ...settingsOf(pack.project)}
  await runtime.state.commit(REALM, [...clients, {kind: 'project', expect: 0, doc: project}])
  return {seeded: true, counts: countsOf(pack)}
}

/**
 * Adds the resources of a pack to a project that exists, and takes over its settings. Throws InvalidSetup,
 * also for an id, a key or an email that the project has already; nothing is stored then.
 */
export async function extendProject(runtime: Runtime, projectKey: string, pack: SeedPack): Promise<SeedResult> {
  checkPackKey(pack, projectKey)
  try {
    return await added(runtime, projectKey, pack)
  } catch (error) {
    if (!(error instanceof UniqueConflict || error instanceof VersionConflict)) throw error
    const what = error instanceof UniqueConflict ? `'${error.key}'` : `the ${error.kind} '${error.id}'`
    throw ApiError.of('InvalidSetup', {message: `The project has ${what} already; nothing was added.`}, {cause: error})
  }
}

/** Adds the resources. Throws UniqueConflict or VersionConflict for what the project has already. */
async function added(runtime: Runtime, projectKey: string, pack: SeedPack): Promise<SeedResult> {
  const now = new Date(runtime.clock()).toISOString()
  const {puts, clients} = await documentsOf(runtime, projectKey, pack, now)
  const before = await runtime.state.get<Project>(REALM, 'project', projectKey)
  const settings = Object.keys(pack.project).length === 0 ? undefined : settingsOf(pack.project)
  const next: Put[] = []
  if (before && settings) {
    const doc = {...before, ...settings, version: before.version + 1, lastModifiedAt: now}
    next.push({kind: 'project', expect: before.version, doc})
  }
  const toRealm = async () => {
    if (clients.length + next.length > 0) await runtime.state.commit(REALM, [...clients, ...next])
    return []
  }
  // The realm in between: what the project refuses leaves no clients, and what the realm refuses no resources.
  if (puts.length > 0) await runtime.state.commit(projectKey, puts, toRealm)
  else await toRealm()
  return {seeded: true, counts: countsOf(pack)}
}

function checkPackKey({project}: SeedPack, projectKey: string): void {
  if (project['key'] === undefined || project['key'] === projectKey) return
  const message = `project.json: key: the pack is for '${String(project['key'])}', not for '${projectKey}'`
  throw ApiError.of('InvalidSetup', {message})
}

const countsOf = ({resources, clients}: SeedPack): Record<string, number> => ({
  ...Object.fromEntries([...resources].map(([typeId, list]) => [typeId, list.length])),
  ...(clients.length > 0 ? {'api-client': clients.length} : {}),
})

async function documentsOf(runtime: Runtime, projectKey: string, pack: SeedPack, now: string) {
  const kept = await storedFormOf(runtime.state, projectKey, pack.resources)
  const customers = (pack.resources.get('customer') ?? []).map((seed) =>
    kept('customer', customerOf(runtime, seed, now)),
  )
  checkCustomers(customers)
  const credentials = await credentialsOf(runtime, projectKey, pack.resources.get('customer') ?? [], customers)
  const puts = [
    ...[...pack.resources].flatMap(([typeId, resources]) =>
      typeId === 'customer' ? [] : resources.map((resource) => putOf(typeId, 0, kept(typeId, resource))),
    ),
    ...customers.map((doc) => putOf('customer', 0, doc)),
    ...credentials,
  ]
  const clients = await Promise.all(pack.clients.map((client) => clientPut(runtime, projectKey, client, now)))
  return {puts, clients}
}

/** The puts, overwriting what an interrupted seeding left behind; its project does not exist yet. */
async function overwriting({state}: Runtime, projectKey: string, puts: readonly Put[]): Promise<Put[]> {
  return Promise.all(
    puts.map(async (put) => {
      const old = await state.get<Document>(projectKey, put.kind, put.doc.id)
      return old ? {...put, expect: old.version} : put
    }),
  )
}

/** The known settings of `project.json`; its `messages` may be partial. */
function settingsOf(given: SeedPack['project']): Partial<Project> {
  const {key: _, id: __, version: ___, messages, ...rest} = given
  const asked = typeof messages === 'object' && messages !== null ? messages : {}
  return {...rest, messages: {enabled: true, deleteDaysAfterCreation: 15, ...asked}}
}

function customerOf({secrets}: Runtime, seed: SeedResource, now: string): Customer {
  const {password: _, passwordHash: __, ...given} = seed
  const mode = given['authenticationMode'] === 'ExternalAuth' ? 'ExternalAuth' : 'Password'
  const addresses = Array.isArray(given['addresses']) ? (given['addresses'] as object[]) : []
  return {
    createdAt: now,
    lastModifiedAt: now,
    versionModifiedAt: now,
    shippingAddressIds: [],
    billingAddressIds: [],
    isEmailVerified: false,
    customerGroupAssignments: [],
    stores: [],
    ...given,
    addresses: addresses.map((address) => ({id: secrets.token(6), ...address})),
    authenticationMode: mode,
    ...(mode === 'Password' ? {password: `****${secrets.token(3)}`} : {}),
  } as unknown as Customer
}

/** Checks the unique keys of customers over the whole file. */
function checkCustomers(customers: readonly Customer[]): void {
  const holders = new Map<string, UniqueKey>()
  for (const [index, customer] of customers.entries()) {
    if (!isEmail(customer.email)) throw refused('customers.json', index, `email: '${customer.email}' is no email`)
    if (customer.key !== undefined && !isKey(customer.key)) {
      throw refused('customers.json', index, `key: '${customer.key}' is no key`)
    }
    for (const uniqueKey of uniqueKeysOf(customer)) {
      const holder = holders.get(uniqueKey.key)
      if (holder && !(holder.shared && uniqueKey.shared)) {
        throw refused('customers.json', index, clashOf(uniqueKey.key, 'held', customer).message)
      }
      holders.set(uniqueKey.key, uniqueKey)
    }
  }
}

/** Credentials with hashed passwords; a few at a time, since hashing uses all cores. */
async function credentialsOf(
  runtime: Runtime,
  projectKey: string,
  seeds: readonly SeedResource[],
  customers: readonly Customer[],
): Promise<Put[]> {
  const {passwords} = runtime
  const puts: Put[] = []
  let highest = 0
  const work = customers.entries()
  const next = async (): Promise<void> => {
    for (const [index, customer] of work) {
      const {password, passwordHash}: Readonly<Record<string, unknown>> = seeds[index] ?? {}
      const problem = typeof passwordHash === 'string' ? hashProblem(passwordHash) : undefined
      if (problem !== undefined) throw refused('customers.json', index, `passwordHash: ${problem}`)
      const isPlain = typeof password === 'string' && !password.startsWith('****')
      const hash =
        passwordHash ??
        (isPlain ? await passwords.hash(projectKey, password, `customers.json[${index}].password`) : undefined)
      if (typeof hash !== 'string' || customer.authenticationMode !== 'Password') continue
      highest = Math.max(highest, costOf(hash))
      const doc = withHash(newCredential(customer.id), hash, passwordHash !== undefined)
      puts.push({kind: 'credential', expect: 0, doc})
    }
  }
  await Promise.all([next(), next(), next(), next()])
  await notePasswordWork(runtime, projectKey, highest)
  return puts
}

async function clientPut(
  {secrets, state}: Runtime,
  projectKey: string,
  {id, name, scope, secret, accessTokenValiditySeconds, refreshTokenValiditySeconds}: SeedClient,
  now: string,
): Promise<Put> {
  const old = await state.get<ApiClient>(REALM, 'api-client', id)
  if (old && old.projectKey !== projectKey) {
    throw ApiError.of('InvalidSetup', {message: `api-clients.json: the client ${id} belongs to another project`})
  }
  const doc: ApiClient = {
    id,
    version: (old?.version ?? 0) + 1,
    projectKey,
    name,
    scope,
    secretDigest: secrets.digest(secret),
    createdAt: now,
    ...defined({accessTokenValiditySeconds, refreshTokenValiditySeconds}),
  }
  return {kind: 'api-client', expect: old?.version ?? 0, doc}
}
