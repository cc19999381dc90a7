import {
  type Argon2,
  beyondBounds,
  type Digest,
  type HashCheck,
  type HashWork,
  type Layer,
  noWork,
  workOf,
} from './hash-check.js'

/** A form in which other shops store a password, as `passwordHash` brings it. Decision 19. */
export interface HashForm {
  readonly name: string
  /** Who stores passwords so. */
  readonly usedBy: string
  /** The form in short, for messages and tables. */
  readonly shape: string
  readonly pattern: RegExp
  /** What the parts of a match mean; undefined if they contradict each other. */
  readonly read: (...parts: readonly string[]) => HashCheck | undefined
}

const bcryptText = '\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}'
const salt = '([^:\\s\\p{Cc}]{1,128})'
const base64 = '([A-Za-z0-9+/]{11,88}={0,2})'
const number = '(\\d{1,9})'

const hexAlgorithms: Readonly<Record<number, Digest>> = {32: 'md5', 64: 'sha256', 128: 'sha512'}
const hex = '([0-9a-fA-F]{32}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})'
const bytesOf = (text: string): number => Math.floor((text.replaceAll('=', '').length * 3) / 4)

/** A digest shorter than this fits too many passwords. */
const leastDigestBytes = 16
/** Argon2 takes no shorter salt. */
const leastSaltBytes = 8

/** libsodium's `INTERACTIVE` limits, which Magento's version 2 means without saying so. */
const interactive: Argon2 = {variant: 'id', memoryKib: 65_536, passes: 2, lanes: 1, length: 32}

/** What a version of Magento's encryptor does: 0 MD5, 1 SHA-256, 2 Argon2id, 3 Argon2id with its parameters. */
function magentoLayer(version: string): Layer {
  if (version === '0') return 'md5'
  if (version === '1') return 'sha256'
  if (version === '2') return interactive
  const [, length, passes, memoryBytes] = version.split('_').map(Number)
  return {...interactive, length: length ?? 0, passes: passes ?? 0, memoryKib: Math.floor((memoryBytes ?? 0) / 1024)}
}

const layerLength = (layer: Layer | undefined): number =>
  layer === 'md5' ? 16 : typeof layer === 'object' ? layer.length : 32

/** phpass writes numbers with these digits. */
const phpassDigits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const phpass =
  (algorithm: Digest) =>
  (rounds = '', salt = '', digest = ''): HashCheck => ({
    kind: 'phpass',
    algorithm,
    rounds: 2 ** phpassDigits.indexOf(rounds),
    salt,
    digest,
  })

const isUsable = ({memoryKib, passes, lanes, length}: Argon2): boolean =>
  passes >= 1 && lanes >= 1 && memoryKib >= 8 * lanes && length >= leastDigestBytes && length <= 64

function scrypt(
  costLog2: number,
  blockSize: number,
  lanes: number,
  salt: string,
  digest: string,
): HashCheck | undefined {
  const isSound = costLog2 >= 1 && blockSize >= 1 && lanes >= 1 && bytesOf(digest) >= leastDigestBytes
  return isSound ? {kind: 'scrypt', costLog2, blockSize, lanes, salt, digest} : undefined
}

/** Every form that is accepted. What checks, documents or lists them reads this list; no two patterns overlap. */
export const hashForms: readonly HashForm[] = [
  {
    name: 'bcrypt',
    usedBy: 'Shopware 5 and 6, OpenMage, PrestaShop, OpenCart, PHP',
    shape: '$2y$10$…',
    pattern: new RegExp(`^(${bcryptText})$`),
    read: (hash = '') => ({kind: 'bcrypt', hash}),
  },
  {
    name: 'wordpress',
    usedBy: 'WordPress 6.8 and later, WooCommerce',
    shape: '$wp$2y$10$…',
    pattern: new RegExp(`^\\$wp(${bcryptText})$`),
    read: (hash = '') => ({kind: 'bcrypt', hash, macKey: 'wp-sha384'}),
  },
  {
    name: 'phpass',
    usedBy: 'WordPress before 6.8, WooCommerce, phpBB',
    shape: '$P$B…, $H$9…',
    pattern: /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/,
    read: phpass('md5'),
  },
  {
    name: 'phpass-sha512',
    usedBy: 'Drupal 7 to 10.0, Drupal Commerce',
    shape: '$S$D…',
    pattern: /^\$S\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/,
    read: phpass('sha512'),
  },
  {
    name: 'argon2',
    usedBy: 'PHP (PASSWORD_ARGON2I, PASSWORD_ARGON2ID), Shopware 6',
    shape: '$argon2id$v=19$m=65536,t=4,p=1$…$…, $argon2i$…',
    pattern: new RegExp(`^\\$argon2(id?)\\$v=19\\$m=${number},t=${number},p=${number}\\$${base64}\\$${base64}$`),
    read: (variant, memory, passes, lanes, salt = '', digest = '') => {
      const argon2: Argon2 = {
        variant: variant === 'i' ? 'i' : 'id',
        memoryKib: Number(memory),
        passes: Number(passes),
        lanes: Number(lanes),
        length: bytesOf(digest),
      }
      if (!isUsable(argon2) || bytesOf(salt) < leastSaltBytes) return undefined
      return {kind: 'argon2', ...argon2, salt, digest}
    },
  },
  {
    name: 'scrypt',
    usedBy: 'Python, Go and Rust libraries that write PHC strings',
    shape: '$scrypt$ln=15,r=8,p=1$…$…',
    pattern: new RegExp(`^\\$scrypt\\$ln=(\\d\\d?),r=${number},p=${number}\\$${base64}\\$${base64}$`),
    read: (costLog2, blockSize, lanes, salt = '', digest = '') =>
      scrypt(Number(costLog2), Number(blockSize), Number(lanes), salt, digest),
  },
  {
    name: 'scrypt-s0',
    usedBy: 'Salesforce Commerce Cloud (encryptionScheme="scrypt"), Java',
    shape: '$s0$b0401$…$…',
    pattern: new RegExp(`^\\$s0\\$([0-9a-f]{5,6})\\$${base64}\\$${base64}$`),
    read: (parameters = '', salt = '', digest = '') => {
      const packed = Number.parseInt(parameters, 16)
      return scrypt(packed >> 16, (packed >> 8) & 255, packed & 255, salt, digest)
    },
  },
  {
    name: 'magento2',
    usedBy: 'Magento 2, Adobe Commerce',
    shape: 'hash:salt:1 (also 0, 2, 3_32_2_67108864 and chains such as 0:1:2)',
    pattern: new RegExp(
      `^([0-9a-f]{32,128}):${salt}:((?:[012]|3_\\d{1,3}_\\d{1,9}_\\d{1,12})(?::(?:[012]|3_\\d{1,3}_\\d{1,9}_\\d{1,12})){0,4})$`,
      'u',
    ),
    read: (digest = '', salt = '', versions = '') => {
      const layers = versions.split(':').map(magentoLayer)
      const isSound = layers.every((layer) => typeof layer === 'string' || isUsable(layer))
      if (!isSound || digest.length !== 2 * layerLength(layers.at(-1))) return undefined
      return {kind: 'layered', layers, salt, digest}
    },
  },
  {
    name: 'salted',
    usedBy: 'Magento 1 and OpenMage (salt first), Shopware Md5, Joomla, osCommerce',
    shape: 'hash:salt (MD5, SHA-256 or SHA-512; the salt before or behind the password)',
    pattern: new RegExp(`^${hex}:${salt}$`, 'u'),
    read: (digest = '', salt = '') => ({
      kind: 'salted',
      algorithm: hexAlgorithms[digest.length] ?? 'md5',
      salt,
      digest: digest.toLowerCase(),
    }),
  },
  {
    name: 'shopware-sha256',
    usedBy: 'Shopware 5 (encoder sha256), Shopware 6 (legacy encoder Sha256)',
    shape: 'iterations:salt:hash',
    pattern: new RegExp(`^${number}:${salt}:([0-9a-f]{64})$`, 'u'),
    read: (iterations, salt = '', digest = '') => ({
      kind: 'repeated',
      algorithm: 'sha256',
      rounds: Number(iterations) + 1,
      salt,
      digest,
    }),
  },
  {
    name: 'unsalted',
    usedBy: 'Shopware Md5, Salesforce Commerce Cloud (encryptionScheme="md5"), old shops',
    shape: 'md5:hash, sha256:hash, sha512:hash (the prefix is put there, since a bare digest could be anything)',
    pattern: new RegExp(`^(md5|sha256|sha512):${hex}$`),
    read: (algorithm, digest = '') =>
      hexAlgorithms[digest.length] === algorithm
        ? {kind: 'salted', algorithm: algorithm as Digest, salt: '', digest: digest.toLowerCase()}
        : undefined,
  },
]

/** A text that is a password hash, or why it is none. */
export type ReadHash = {readonly form: HashForm; readonly check: HashCheck} | {readonly refused: string}

/** A longer text is no hash. */
const mostCharacters = 512

const names = hashForms.map(({name}) => name).join(', ')

/**
 * Reads a password hash of any accepted form. What is refused says why, and never quotes the hash.
 *
 * @example readHash('$P$Bsalt…') // {form: {name: 'phpass', …}, check: {kind: 'phpass', …}}
 */
export function readHash(text: string): ReadHash {
  for (const form of text.length > mostCharacters ? [] : hashForms) {
    const parts = form.pattern.exec(text)
    if (!parts) continue
    const check = form.read(...parts.slice(1))
    const reason = check ? beyondBounds(check) : 'its parts do not fit each other'
    if (check && reason === undefined) return {form, check}
    return {refused: `It is a hash of the form ${form.name}, but ${reason}.`}
  }
  const bare = /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)
  const hint = bare ? ' A digest without salt is written md5:…, sha256:… or sha512:….' : ''
  return {refused: `It must be a password hash of one of the forms ${names}.${hint}`}
}

/** The form of a text that looks like a password hash, also one that is not accepted; nothing for any other text. */
export const hashFormOf = (text: string): string | undefined =>
  text.length > mostCharacters ? undefined : hashForms.find(({pattern}) => pattern.test(text))?.name

/** The work of comparing with a hash; none for a text that is no hash. */
export function workOfHash(text: string): HashWork {
  const read = readHash(text)
  return 'check' in read ? workOf(read.check) : noWork
}
