/**
 * A query parameter that cannot be understood. `message` is the text of the API; the pipeline answers with it as
 * 400 `InvalidInput`. Source: decisions 15 to 18.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  /** The parameter at fault: `where`, `sort`, `limit`, `var.x`, … */
  readonly parameter: string

  constructor(parameter: string, detail: string) {
    super(`Malformed parameter: ${parameter}: ${detail}`)
    this.parameter = parameter
  }
}
