/** An invalid query parameter: 400 `InvalidInput` with `message`. Decisions 15 to 18. */
export class QueryError extends Error {
  override readonly name = 'QueryError'

  /** `parameter` is the one at fault: `where`, `sort`, `limit`, `var.x`, … */
  constructor(parameter: string, detail: string) {
    super(`Malformed parameter: ${parameter}: ${detail}`)
  }
}
