import {addressOf, placeOf} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {usage} from '../process/failure.js'
import {type Environment, isOn} from '../process/io.js'
import {type Chosen, isNamed, type Origin} from './settings.js'
import type {ResolvedTarget} from './target.js'

/** What a write or a check is about, as its first line and its report name it. */
export interface Subject {
  /** The profile, or the host that flags or variables named in its place. */
  readonly profile?: string
  readonly projectKey?: string
  readonly storeKey?: string
  /** A URL, or the folder of the local state. */
  readonly address: string
}

export function subjectOf({label, target}: ResolvedTarget): Subject {
  const {projectKey, storeKey} = target
  return {profile: label, projectKey, ...defined({storeKey}), address: addressOf(target)}
}

/** The place of a target that was named; undefined: records of all places count. */
export const namedPlace = ({chosen, resolved}: {readonly chosen: Chosen; readonly resolved: ResolvedTarget}) =>
  isNamed(chosen.name) ? placeOf(resolved.target) : undefined

/** A target for people: `staging (shop)`, `staging (shop, store berlin)`. */
export const targetText = ({profile, projectKey, storeKey, address}: Subject): string =>
  profile === undefined ? address : `${profile} (${projectKey}${storeKey === undefined ? '' : `, store ${storeKey}`})`

const naming: Readonly<Record<string, readonly Origin['by'][]>> = {
  profile: ['flag', 'argument', 'environment'],
  apiUrl: ['flag', 'environment'],
  dataDir: ['flag', 'argument'],
}

/** FRONTDESK_DATA_DIR alone says where this machine keeps its things; with a project it names a local target. */
const isLocalNamed = (origins: ResolvedTarget['origins']): boolean =>
  ['dataDir', 'projectKey'].every((setting) => origins.get(setting)?.origin.by === 'environment')

/** Throws usage in CI unless this run names its target: nobody is there to see that it went elsewhere. */
export function checkNamed(run: {readonly io: {readonly env: Environment}; readonly resolved: ResolvedTarget}): void {
  if (!isOn(run.io.env, 'CI')) return
  const {origins} = run.resolved
  const isNamed = Object.entries(naming).some(([setting, ways]) => {
    const by = origins.get(setting)?.origin.by
    return by !== undefined && ways.includes(by)
  })
  if (isNamed || isLocalNamed(origins)) return
  throw usage(
    'In CI, this command needs a named target.',
    'Add -P NAME or --local, or set FRONTDESK_PROFILE, or FRONTDESK_API_URL with its project and credentials.',
  )
}
