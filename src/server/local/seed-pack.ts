import {readdir, readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import * as v from 'valibot'
import {collections} from '../../api/operation/collection-table.js'
import {parseJson} from '../../api/pipeline/json-body.js'
import {uniqueMembersOf} from '../../domain/collections/index.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {searchStatuses} from '../../domain/project/project.js'
import {builtInPack, seedFolder} from '../../files/shipped.js'

/** The content of a seed pack, a folder of `<collection>.json` files. */
export interface SeedPack {
  /** Members of `project.json`. */
  readonly project: Readonly<Record<string, unknown>>
  /** Resources by type id, as in the files. */
  readonly resources: ReadonlyMap<string, readonly SeedResource[]>
  readonly clients: readonly SeedClient[]
}

export type SeedResource = {readonly id: string; readonly version: number} & Readonly<Record<string, unknown>>

const text = v.string()

const SeedClient = v.looseObject({
  id: v.pipe(text, v.nonEmpty()),
  name: v.optional(text, 'seeded client'),
  scope: text,
  secret: v.pipe(text, v.nonEmpty()),
  accessTokenValiditySeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  refreshTokenValiditySeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})

export type SeedClient = v.InferOutput<typeof SeedClient>

const Resource = v.looseObject({
  id: v.pipe(text, v.nonEmpty()),
  version: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
  key: v.exactOptional(text),
})

/** Members of which a pack says more, by type id. */
const ownEntries: Readonly<Record<string, v.ObjectEntries>> = {
  customer: {
    email: v.pipe(text, v.nonEmpty()),
    password: v.exactOptional(text),
    passwordHash: v.exactOptional(text),
    addresses: v.exactOptional(v.array(v.looseObject({country: text}))),
    stores: v.exactOptional(v.array(v.looseObject({key: text}))),
  },
  // Replies always have the list; an empty one means all stores.
  'shipping-method': {stores: v.optional(v.array(v.looseObject({key: text})), [])},
}

const schemaOf = (typeId: string) => v.looseObject({...Resource.entries, ...ownEntries[typeId]})

const Project = v.looseObject({
  $schema: v.exactOptional(text),
  key: v.exactOptional(text),
  name: v.exactOptional(text),
  languages: v.exactOptional(v.array(text)),
  countries: v.exactOptional(v.array(text)),
  currencies: v.exactOptional(v.array(text)),
  messages: v.exactOptional(v.looseObject({enabled: v.exactOptional(v.boolean())})),
  searchIndexing: v.exactOptional(v.looseObject({customers: v.looseObject({status: v.picklist(searchStatuses)})})),
})

/** A pack in one object, each list as the file of its name has it. For editors. */
export const SeedPackFiles = v.object({
  project: v.exactOptional(Project),
  'api-clients': v.exactOptional(v.array(SeedClient)),
  ...Object.fromEntries(
    collections.map(({typeId, segment}) => {
      const entry = v.partial(schemaOf(typeId), ['id'])
      return [segment, v.exactOptional(v.array(entry))]
    }),
  ),
})

/** The error for an invalid pack, with file, index, path and reason. */
export const refused = (file: string, index: number | undefined, reason: string): ApiError =>
  ApiError.of('InvalidSetup', {message: `${file}${index === undefined ? '' : `[${index}]`}: ${reason}`})

/** What is wrong with a pack: its path begins with the file and, in a list, the index. */
function invalid({path, expected, received}: v.BaseIssue<unknown>): ApiError {
  const [file, ...keys] = (path ?? []).map(({key}) => key)
  const index = typeof keys[0] === 'number' ? Number(keys.shift()) : undefined
  const where = keys.length === 0 ? '' : `${keys.map(String).join('.')}: `
  return refused(`${String(file)}.json`, index, `${where}expected ${expected ?? 'another value'}, received ${received}`)
}

const mostBytes = 256 << 20

async function bytesOf(folder: string, file: string): Promise<Buffer> {
  const path = join(folder, file)
  const stats = await stat(path).catch(() => undefined)
  // Pipes and devices may never end.
  if (!stats?.isFile()) throw refused(file, undefined, 'no file that can be read')
  if (stats.size > mostBytes) throw refused(file, undefined, `more than ${mostBytes} bytes`)
  return readFile(path)
}

async function jsonOf(folder: string, file: string): Promise<unknown> {
  const bytes = await bytesOf(folder, file)
  try {
    return parseJson(bytes, {maxValues: Number.MAX_SAFE_INTEGER})
  } catch (error) {
    const detail = error instanceof ApiError ? String(error.errors[0]['detailedErrorMessage']) : 'not JSON'
    throw refused(file, undefined, detail)
  }
}

/** Throws if a file has something twice that a project has once. */
function checkUnique(file: string, resources: readonly object[], members: readonly string[] = []): void {
  for (const member of ['id', ...members]) {
    const seen = new Set<string>()
    for (const [index, resource] of resources.entries()) {
      const value: unknown = Reflect.get(resource, member)
      if (typeof value !== 'string') continue
      if (seen.has(value)) throw refused(file, index, `${member}: '${value}' stands twice`)
      seen.add(value)
    }
  }
}

/** Reads a file of a pack as JSON; undefined for one that it does not have. */
type Files = (file: string) => Promise<unknown>

const parts = ['project', 'api-clients', ...collections.map(({segment}) => segment)]

async function folderFiles(seed: string): Promise<Files> {
  const folder = seedFolder(seed)
  const names = await readdir(folder).catch((cause: unknown) => {
    throw ApiError.of('InvalidSetup', {message: `The seed folder ${folder} cannot be read.`}, {cause})
  })
  const present = new Set(names)
  if (parts.some((part) => present.has(`${part}.json`))) {
    return async (file) => (present.has(file) ? jsonOf(folder, file) : undefined)
  }
  const message = `${folder} is no seed pack: it has none of ${parts.map((part) => `${part}.json`).join(', ')}.`
  throw ApiError.of('InvalidSetup', {message})
}

/**
 * Reads a seed pack: the folder, or `demo` for the one that is built in. Any file may be missing, extra members are kept,
 * references may dangle. `newId` names resources that come without an id. Throws InvalidSetup naming file, index, path and
 * reason.
 */
export const readSeedPack = async (folder: string, newId: () => string): Promise<SeedPack> =>
  packOf(await folderFiles(folder), newId)

/** Throws InvalidSetup for a server that takes no seed pack. */
export function checkTakesPack({isOpen}: {readonly isOpen?: boolean}, seedDir: string | undefined): void {
  if (!isOpen || seedDir === undefined) return
  const message = 'A seed pack holds known secrets, so a server that other machines reach does not take one.'
  throw ApiError.of('InvalidSetup', {message})
}

/** The pack of a folder, or the built-in one, for a project. Throws InvalidSetup. */
export async function packFor(projectKey: string, folder: string, newId: () => string): Promise<SeedPack> {
  const pack = await readSeedPack(folder, newId)
  return folder === builtInPack || folder === seedFolder(builtInPack) ? namedAfter(projectKey, pack) : pack
}

/** The built-in pack for a project: ids of its clients are unique on a server, and their scopes name the project. */
const namedAfter = (projectKey: string, {clients, ...pack}: SeedPack): SeedPack => ({
  ...pack,
  clients: clients.map(({id, scope, ...client}) => ({
    ...client,
    id: id.replace(`${builtInPack}-`, `${projectKey}-`),
    scope: scope.replaceAll(`:${builtInPack}`, `:${projectKey}`),
  })),
})

/** The contents of a seed pack by the names of its files: `{customers: [{email: 'ada@example.com'}], stores: []}`. */
export type SeedData = Readonly<Record<string, unknown>>

/** A pack of what a program has in its hands. Throws InvalidSetup, also for a member that no file of a pack is named by. */
export async function seedPackOf(data: SeedData, newId: () => string): Promise<SeedPack> {
  const unknown = Object.keys(data).find((name) => !parts.includes(name))
  if (unknown !== undefined) {
    const message = `'${unknown}' is no part of a seed pack: it has ${parts.join(', ')}.`
    throw ApiError.of('InvalidSetup', {message})
  }
  // A copy: the caller may change what it gave, and stored documents are frozen.
  const copy = new Map(Object.entries(structuredClone(data)))
  return packOf(async (file) => copy.get(file.slice(0, -'.json'.length)), newId)
}

async function packOf(files: Files, newId: () => string): Promise<SeedPack> {
  const given: Record<string, unknown> = {}
  for (const part of parts) given[part] = await files(`${part}.json`)
  const parsed = v.safeParse(SeedPackFiles, defined(given), {abortEarly: true})
  if (!parsed.success) throw invalid(parsed.issues[0])
  const {project = {}, 'api-clients': clients = [], ...lists} = parsed.output
  checkUnique('api-clients.json', clients)
  const resources = new Map<string, SeedResource[]>()
  for (const {typeId, segment} of collections) {
    const list = (lists as Readonly<Record<string, readonly Partial<SeedResource>[]>>)[segment]
    if (!list) continue
    const entries = list.map((entry) => ('id' in entry ? entry : {id: newId(), ...entry}) as SeedResource)
    checkUnique(`${segment}.json`, entries, uniqueMembersOf(typeId))
    resources.set(typeId, entries)
  }
  return {resources, project, clients}
}
