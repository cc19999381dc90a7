/** How long answers took, in milliseconds, and in words. */
export function percentiles(durations: readonly number[]): {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly detail: string
} {
  const all = [...durations].sort((a, b) => a - b)
  const percentile = (share: number): number => all[Math.max(0, Math.ceil(all.length * share) - 1)] ?? 0
  const [p50, p95, p99] = [percentile(0.5), percentile(0.95), percentile(0.99)]
  const detail = `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${all.length}`
  return {p50, p95, p99, detail}
}
