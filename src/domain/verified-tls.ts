/**
 * The TLS options of every connection that this program makes: certificates are verified, whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says.
 */
export const verifiedTls = <const O extends object>(options: O) => ({...options, rejectUnauthorized: true}) as const
