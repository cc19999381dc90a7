import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import * as v from 'valibot'
import {collections} from '../../api/operation/collection-table.js'
import {parseJson} from '../../api/pipeline/json-body.js'
import {uniqueMembersOf} from '../../domain/collections/index.js'
import {ApiError} from '../../domain/errors.js'

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

const Customer = v.looseObject({
  ...Resource.entries,
  email: v.pipe(text, v.nonEmpty()),
  password: v.exactOptional(text),
  passwordHash: v.exactOptional(text),
  addresses: v.exactOptional(v.array(v.looseObject({country: text}))),
  stores: v.exactOptional(v.array(v.looseObject({key: text}))),
})

const Project = v.looseObject({
  key: v.exactOptional(text),
  name: v.exactOptional(text),
  languages: v.exactOptional(v.array(text)),
  countries: v.exactOptional(v.array(text)),
  currencies: v.exactOptional(v.array(text)),
  messages: v.exactOptional(v.looseObject({enabled: v.exactOptional(v.boolean())})),
})

/** The error for an invalid pack, with file, index, path and reason. */
const refused = (file: string, index: number | undefined, reason: string): ApiError =>
  ApiError.of('InvalidSetup', {message: `${file}${index === undefined ? '' : `[${index}]`}: ${reason}`})

function reasonOf(issues: readonly v.BaseIssue<unknown>[]): string {
  const [issue] = issues
  if (!issue) return 'not valid'
  const path = (issue.path ?? []).map(({key}) => String(key)).join('.')
  return `${path === '' ? '' : `${path}: `}expected ${issue.expected ?? 'another value'}, received ${issue.received}`
}

async function jsonOf(folder: string, file: string): Promise<unknown> {
  const bytes = await readFile(join(folder, file))
  try {
    return parseJson(bytes, {maxValues: Number.MAX_SAFE_INTEGER})
  } catch (error) {
    const detail = error instanceof ApiError ? String(error.errors[0]['detailedErrorMessage']) : 'not JSON'
    throw refused(file, undefined, detail)
  }
}

function arrayOf<T>(file: string, json: unknown, schema: v.GenericSchema<unknown, T>): T[] {
  if (!Array.isArray(json)) throw refused(file, undefined, 'expected an array')
  return json.map((entry: unknown, index) => {
    const result = v.safeParse(schema, entry)
    if (!result.success) throw refused(file, index, reasonOf(result.issues))
    return result.output
  })
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

/**
 * Reads a seed pack. Any file may be missing, extra members are kept, references may dangle. `newId` gives ids to
 * resources without one. Throws InvalidSetup with file, index, path and reason.
 */
export async function readSeedPack(folder: string, newId: () => string): Promise<SeedPack> {
  let present: ReadonlySet<string>
  try {
    present = new Set(await readdir(folder))
  } catch (error) {
    throw ApiError.of('InvalidSetup', {message: `The seed folder ${folder} cannot be read.`}, {cause: error})
  }
  const withId = (entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) && !('id' in entry)
      ? {id: newId(), ...entry}
      : entry
  const resources = new Map<string, SeedResource[]>()
  for (const {typeId, segment} of collections) {
    const file = `${segment}.json`
    if (!present.has(file)) continue
    const json = await jsonOf(folder, file)
    const schema = (typeId === 'customer' ? Customer : Resource) as v.GenericSchema<unknown, SeedResource>
    const entries = arrayOf(file, Array.isArray(json) ? json.map(withId) : json, schema)
    checkUnique(file, entries, uniqueMembersOf(typeId))
    resources.set(typeId, entries)
  }
  return {resources, project: await projectOf(folder, present), clients: await clientsOf(folder, present)}
}

async function projectOf(folder: string, present: ReadonlySet<string>): Promise<Record<string, unknown>> {
  if (!present.has('project.json')) return {}
  const result = v.safeParse(Project, await jsonOf(folder, 'project.json'))
  if (!result.success) throw refused('project.json', undefined, reasonOf(result.issues))
  return result.output
}

async function clientsOf(folder: string, present: ReadonlySet<string>): Promise<SeedClient[]> {
  const file = 'api-clients.json'
  if (!present.has(file)) return []
  const clients = arrayOf(file, await jsonOf(folder, file), SeedClient)
  checkUnique(file, clients)
  return clients
}
