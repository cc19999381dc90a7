/** TLS options by which certificates are verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
export const verifiedTls = <const O extends object>(options: O) => ({...options, rejectUnauthorized: true}) as const

/** The package undici. The built-in fetch is loaded first: else the package sets its dispatcher, on Node 20 one that fails it. */
export function undici(): Promise<typeof import('undici')> {
  void new Headers()
  return import('undici')
}
