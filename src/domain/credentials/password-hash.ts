/** bcrypt: the one form of a password hash that is made, taken and compared (decision 19). */
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** The costs of hashes that are taken: each sign-in pays for the highest. */
const [leastCost, mostCost] = [4, 14]

/** The cost of a hash of bcrypt, the base-2 logarithm of its rounds; 0 for any other text. */
export const costOf = (text: string): number => Number(bcrypt.exec(text)?.[1] ?? 0)

/** Why a text is not taken as a ready hash, without quoting it; undefined for one that is. */
export function hashProblem(text: string): string | undefined {
  const cost = bcrypt.exec(text)?.[1]
  if (cost === undefined) {
    return 'It must be a bcrypt hash ($2y$10$…). With another one the customer sets a new password: `frontdesk customers import --password-mode reset-links`.'
  }
  if (Number(cost) >= leastCost && Number(cost) <= mostCost) return undefined
  return `It is a bcrypt hash, but its cost ${Number(cost)} is not ${leastCost} to ${mostCost}.`
}

/** The shapes of hashes as shops, directories and libraries store them, bcrypt among them. Nobody types one. */
const hashShapes: readonly RegExp[] = [
  // crypt and PHC: `$2y$10$…`, `$P$B…`, `$argon2id$v=19$…`, `$pbkdf2-sha256$…`, `$6$…`.
  /^\$[A-Za-z0-9_,=.-]{1,24}\$\S{20,}$/,
  // LDAP and Spring: `{SSHA}…`, `{bcrypt}$2a$…`.
  /^\{[A-Za-z0-9_.@-]{2,24}\}\S{13,}$/,
  // Django and Werkzeug: `pbkdf2_sha256$260000$…$…`, `sha1$…$…`, `scrypt:32768:8:1$…$…`.
  /^[a-z][a-z0-9_:-]*\$[^\s$]*\$\S{20,}$/,
  // Named: `md5:…`, `pbkdf2:…`, `sha256:1000:…`.
  /^(?:md5|s?sha|pbkdf2|scrypt|argon2|bcrypt)[a-z0-9_-]*[:=|]\S{20,}$/i,
  // A digest and its salt: Magento, Joomla, osCommerce.
  /^[0-9a-f]{32,128}:\S+$/i,
  // Iterations, salt and digest: Shopware, Java.
  /^\d{1,9}:[^\s:]+:[A-Za-z0-9+/=]{24,}$/,
  // MySQL.
  /^\*[0-9A-F]{40}$/,
  // ASP.NET Identity, and scrypt as Node's scrypt-kdf writes it.
  /^(?:AQAAAA|c2NyeXB0A)[A-Za-z0-9+/]{40,}={0,2}$/,
]

/** Whether a text has the shape of a password hash, of whatever algorithm (decision 53). */
export const looksLikeHash = (text: string): boolean => hashShapes.some((shape) => shape.test(text))

/** Digests with nothing around them. A password of random digits may look the same, a column of them hardly ever does. */
const bareDigest =
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{48}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))$/i

/** The same, bare digests included: for rows that somebody exported. */
export const mayBeHash = (text: string): boolean => looksLikeHash(text) || bareDigest.test(text)
