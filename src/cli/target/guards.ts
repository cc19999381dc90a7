import {resolve} from 'node:path'
import {localServer} from '../../client/local/local-server.js'
import {addressKey} from '../../client/place.js'
import {resolvedPath} from '../../files/folders.js'
import type {Folders} from './folders.js'
import type {Profile, Profiles} from './profiles.js'
import {isNamed} from './settings.js'
import type {ResolvedTarget} from './target.js'

export interface Guard {
  readonly name: string
  readonly profile: Profile
}

const rules = ['readOnly', 'protected', 'requireReason', 'askCaller'] as const

/**
 * The profiles whose `readOnly`, `protected`, `requireReason` and `askCaller` hold for a target: those that lead to its address and
 * project, whatever way the command comes there (decision 48), and the one that the command names. `everyProject`: the
 * command concerns all projects of the folder.
 */
export async function guardsOf(
  {byName}: Profiles,
  folders: Folders,
  {target, label, origins}: ResolvedTarget,
  everyProject = false,
): Promise<readonly Guard[]> {
  const chosen = origins.get('profile')
  const keys = await (target.kind === 'remote' ? placeKeys(target.apiUrl, '') : placeKeys(undefined, target.dataDir))
  const guards: Guard[] = []
  for (const [name, profile] of byName) {
    if (!rules.some((rule) => profile[rule])) continue
    const isChosen = chosen?.value === name && (label === name || isNamed(chosen))
    const isProject = everyProject || profile.projectKey === target.projectKey
    const dataDir = resolve(profile.dataDir ?? folders.data)
    if (isChosen || (isProject && (await placeKeys(profile.apiUrl, dataDir)).some((key) => keys.includes(key))))
      guards.push({name, profile})
  }
  return guards.sort((one, other) => Number(other.name === chosen?.value) - Number(one.name === chosen?.value))
}

/** The names of an address or, without one, of a folder, which is also the address of a server that holds it. */
async function placeKeys(apiUrl: string | undefined, dataDir: string): Promise<readonly string[]> {
  if (apiUrl !== undefined) return [addressKey(apiUrl)]
  const server = await localServer(dataDir).catch(() => undefined)
  const origins = [server?.origin, server?.publicOrigin].filter((origin) => origin !== undefined)
  return [`folder:${resolvedPath(dataDir)}`, ...origins.map(addressKey)]
}
