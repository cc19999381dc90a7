import type {Adapter} from 'lowdb'
import type {Published, Upkeep} from '../opened-store.js'
import type {State} from './tree/state.js'

/** One project's database. */
export interface ProjectAdapter extends Adapter<State> {
  /** Whether no other process has written since it was read. */
  isCurrent?(): Promise<boolean>
  compact?(state: State, whole: boolean): Promise<void>
  close?(): Promise<void>
}

/** The backing of a store: in memory or in files. */
export interface Backing {
  adapter(project: string): ProjectAdapter
  /** Resolves once this process may write; adapters created before are read-only. */
  writable(): Promise<void>
  projects(): Promise<string[]>
  upkeep?(): Upkeep
  /** Whether other processes wait for this one before they write; absent: there are none. */
  readonly isHolding?: boolean
  publish(...addresses: Published): Promise<void>
  close(): Promise<void>
}
