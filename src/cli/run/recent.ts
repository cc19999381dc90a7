import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {Client} from '../../client/client.js'
import {readPrivate, replacePrivate} from '../../files/private-file.js'

/**
 * Keys of the customers and stores that commands met last, for completion: a private file beside the token cache, by
 * target, with keys and nothing else. `completion SHELL` begins it; without it, and with `--redact`, nothing is kept.
 */

const maxKeys = 50
const maxPlaces = 20

interface Keys {
  readonly customers: readonly string[]
  readonly stores: readonly string[]
}

type Places = Readonly<Record<string, Keys>>

const none: Keys = {customers: [], stores: []}

const fileOf = (cacheDir: string): string => join(cacheDir, 'recent.json')

/** Begins the record, unless there is one. */
export function beginRecent(cacheDir: string): void {
  if (!existsSync(fileOf(cacheDir))) replacePrivate(fileOf(cacheDir), '{}\n')
}

/** The record; undefined if it was not begun. A damaged one counts as empty, since nothing depends on it. */
function read(cacheDir: string): Places | undefined {
  const text = readPrivate(fileOf(cacheDir))
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Places
  } catch {
    return {}
  }
}

/** The keys of a target, the latest first. */
export const recentKeys = (cacheDir: string, place: string): Keys => read(cacheDir)?.[place] ?? none

interface Met {
  readonly key?: string
  readonly stores?: readonly {readonly key?: string}[]
}

/** The customers in the answer of an operation. */
function customersIn(reply: unknown): readonly Met[] {
  if (typeof reply !== 'object' || reply === null) return []
  if ('results' in reply && Array.isArray(reply.results)) return (reply.results as unknown[]).flatMap(customersIn)
  if ('customer' in reply) return customersIn(reply.customer)
  return 'email' in reply && 'addresses' in reply ? [reply as Met] : []
}

const latest = (keys: readonly string[], before: readonly string[]): readonly string[] =>
  [...new Set([...keys, ...before])].slice(0, maxKeys)

/** A client that notes the keys it meets; `save` writes them. Undefined if nothing is to be kept. */
export function withRecentKeys(
  client: Client,
  cacheDir: string,
  place: string,
): {readonly client: Client; readonly save: () => void} | undefined {
  if (!existsSync(fileOf(cacheDir))) return undefined
  const met: Met[] = []
  const gone = new Set<string>()
  const call: Client['call'] = async (operation, params, options) => {
    const reply = await client.call(operation, params, options)
    const found = customersIn(reply)
    if (operation.id.startsWith('deleteCustomer')) for (const {key} of found) gone.add(key ?? '')
    else met.unshift(...found.slice(0, maxKeys))
    return reply
  }
  const save = (): void => {
    try {
      write(cacheDir, place, met, gone)
    } catch {
      // Completion then offers less; the command has done its work.
    }
  }
  return {client: {...client, call}, save}
}

function write(cacheDir: string, place: string, met: readonly Met[], gone: ReadonlySet<string>): void {
  if (met.length === 0 && gone.size === 0) return
  const places = read(cacheDir) ?? {}
  const before = places[place] ?? none
  const keys = met.flatMap(({key}) => key ?? [])
  const stores = met.flatMap(({stores: some = []}) => some.flatMap(({key}) => key ?? []))
  const after = {
    customers: latest(keys, before.customers).filter((key) => !gone.has(key)),
    stores: latest(stores, before.stores),
  }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  const others = Object.entries(places).filter(([name]) => name !== place)
  const kept = [[place, after] as const, ...others].slice(0, maxPlaces)
  replacePrivate(fileOf(cacheDir), `${JSON.stringify(Object.fromEntries(kept))}\n`)
}
