import {readPrivate} from '../../files/private-file.js'
import {type AuditLine, auditFile, hashOf, parsedLine, start, vouchedHashes} from './audit.js'

/** Reads the audit log and verifies its hash chain. */

export interface AuditReading {
  readonly lines: readonly AuditLine[]
  /** Numbers of the lines, from 1, whose predecessor is not what they say, that cannot be read, or that end too early. */
  readonly broken: readonly number[]
  /** Whether the log has lines, but nothing that vouches for the last of them. */
  readonly headMissing: boolean
  /** The number of the last adoption line; 0 if there is none. */
  readonly adoptedAt: number
  /** Hash of the last line. Kept elsewhere, it proves later that nothing was cut off. */
  readonly head: string
  /** Hashes of all lines, and what the first one starts from: a head that was kept is among them. */
  readonly hashes: ReadonlySet<string>
  /** SHA-256 of all lines: what an adoption names. */
  readonly digest: string
}

/** Reads the log and checks its chain. */
export function readAudit(folder: string): AuditReading {
  const texts = (readPrivate(auditFile(folder)) ?? '').split('\n').filter((line) => line !== '')
  const lines: AuditLine[] = []
  const hashes = new Set([start])
  let broken: number[] = []
  let adoptedAt = 0
  let previous = start
  for (const [index, text] of texts.entries()) {
    const line = parsedLine(text)
    if (line) lines.push(line)
    if (line?.previous !== previous) broken.push(index + 1)
    else if (line.phase === 'adoption' && line.adopts === digestOf(texts.slice(0, index))) {
      broken = []
      adoptedAt = index + 1
    }
    previous = hashOf(text)
    hashes.add(previous)
  }
  const vouched = vouchedHashes(folder)
  const headMissing = vouched === undefined && texts.length > 0
  if (headMissing || (vouched && !vouched.includes(previous))) broken.push(Math.max(texts.length, 1))
  const digest = digestOf(texts)
  return {lines, broken: [...new Set(broken)], headMissing, adoptedAt, head: previous, hashes, digest}
}

const digestOf = (texts: readonly string[]): string => hashOf(texts.map((text) => `${text}\n`).join(''))
