import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import {projectActions} from '../../domain/project/actions.js'
import {maskedHeader, type Project, searchIndexingOf, searchStatuses} from '../../domain/project/project.js'
import {parseWhere} from '../../query/parser.js'
import {anything} from '../../query/path-reader.js'
import {REALM, UniqueConflict, VersionConflict} from '../../store/store.js'
import {foldedOver, taking, type Update} from '../operation/change.js'
import {attributionOf, concurrentModification} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'

const ProjectReply = v.looseObject({
  key: v.string(),
  version: v.number(),
  name: v.string(),
  countries: v.array(v.string()),
  currencies: v.array(v.string()),
  languages: v.array(v.string()),
  createdAt: v.string(),
  messages: v.looseObject({enabled: v.boolean(), deleteDaysAfterCreation: v.number()}),
  carts: v.looseObject({deleteDaysAfterLastModification: v.number()}),
  shoppingLists: v.looseObject({deleteDaysAfterLastModification: v.number()}),
  inventory: v.looseObject({releaseExpiredReservations: v.boolean()}),
  discounts: v.looseObject({discountCombinationMode: v.string()}),
  searchIndexing: v.looseObject({customers: v.looseObject({status: v.picklist(searchStatuses)})}),
  externalOAuth: v.exactOptional(v.object({url: v.string(), authorizationHeader: v.string()})),
}) as unknown as v.GenericSchema<Omit<Project, 'id' | 'lastModifiedAt'>>

const shared = {path: '/{projectKey}', area: 'Project', reply: ProjectReply} as const

/** Settings that nothing here reads, as the platform shows them of a project that nobody configured. */
const unread: Readonly<Record<string, object>> = {
  carts: {
    deleteDaysAfterLastModification: 90,
    countryTaxRateFallbackEnabled: false,
    priceRoundingMode: 'HalfEven',
    taxRoundingMode: 'HalfEven',
  },
  shoppingLists: {deleteDaysAfterLastModification: 360},
  inventory: {releaseExpiredReservations: false},
  discounts: {discountCombinationMode: 'Stacking'},
}

/** A project as replies show it: with every required member, the authorization header of its External OAuth masked. */
function shown(stored: Project): Omit<Project, 'id' | 'lastModifiedAt'> {
  const {id: _, lastModifiedAt: __, externalOAuth, ...rest} = stored
  const members = Object.entries(unread).map(([name, value]) => [name, {...value, ...Reflect.get(rest, name)}] as const)
  const project = {...rest, ...Object.fromEntries(members), searchIndexing: searchIndexingOf(stored)}
  if (!externalOAuth) return project
  const {url, authorizationHeader} = externalOAuth
  return {...project, externalOAuth: {url, authorizationHeader: maskedHeader(authorizationHeader)}}
}

export const getProject = operation({
  ...shared,
  id: 'getProject',
  head: 'projectExists',
  method: 'GET',
  summary: 'read the settings of the project',
  permission: {kind: 'bearer', anyOf: ['view_project_settings']},
  handle: async ({project}) => shown(project),
})

async function checkUnused({runtime, project: before}: Context, gone: readonly string[]): Promise<void> {
  const where = parseWhere(['languages contains any :gone'], anything, new Map([['gone', gone]]))
  const {results} = await runtime.state.query(before.key, 'store', {...defined({where}), limit: 1, offset: 0})
  if (results.length > 0) throw ApiError.of('LanguageUsedInStores', {})
}

/** Folds the actions over the project and commits it; without a change nothing is written (decision 6). */
async function changeProject(context: Context, body: Update<Project>): Promise<Project> {
  const {runtime, project: before} = context
  const {next} = await foldedOver(context, before, body)
  if (next === before) return before
  const {searchIndexing} = next
  const by = {lastModifiedBy: attributionOf(context)}
  const isSwitched = searchIndexing !== undefined && searchIndexing !== before.searchIndexing
  const switched = isSwitched
    ? {searchIndexing: {...searchIndexing, customers: {...searchIndexing.customers, ...by}}}
    : {}
  const doc: Project = {...next, ...switched, lastModifiedAt: isoTime(context.now)}
  const put = {kind: 'project', expect: before.version, doc} as const
  const gone = next.languages.length === 0 ? [] : before.languages.filter((tag) => !next.languages.includes(tag))
  try {
    if (gone.length === 0) await runtime.state.commit(REALM, [put])
    else {
      // Stores require the project whose languages they take, so that none takes one that is being given up.
      await runtime.state.commit(REALM, [{...put, exclusive: true}], async () => {
        await checkUnused(context, gone)
        return []
      })
    }
  } catch (error) {
    if (error instanceof UniqueConflict) throw ApiError.of('LockedField', {field: 'languages'})
    throw error instanceof VersionConflict ? concurrentModification(error, before.key) : error
  }
  return doc
}

const updateProject = operation({
  ...shared,
  id: 'updateProject',
  method: 'POST',
  summary: 'change the settings of the project by update actions',
  permission: {kind: 'bearer', anyOf: ['manage_project', 'manage_project_settings']},
  ...taking(projectActions),
  handle: async (context, {body}) => shown(await changeProject(context, body)),
})

export const projectOperations = [getProject, updateProject]
