export interface BoundedCache<V> {
  get(key: string, now: number): V | undefined
  set(key: string, value: V, until: number): void
}

/** Keeps values until their time; the ones not asked for longest make room for new ones. */
export function boundedCache<V>(maxSize: number): BoundedCache<V> {
  const entries = new Map<string, {readonly value: V; readonly until: number}>()
  return {
    get(key, now) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      if (entry.until <= now) return undefined
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, until) {
      entries.delete(key)
      entries.set(key, {value, until})
      const [oldest] = entries.keys()
      if (entries.size > maxSize && oldest !== undefined) entries.delete(oldest)
    },
  }
}
