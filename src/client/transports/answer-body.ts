import {type Duplex, pipeline, Readable} from 'node:stream'
import {createBrotliDecompress, createGunzip} from 'node:zlib'

/** The API answers nothing longer; the limit holds before and after decompression. */
const maxAnswerBytes = 64 * 1024 * 1024
/** Stacked content codings are legal (RFC 9110 §8.4); more than two suggest a decompression bomb. */
const maxCodings = 2

const decoders: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
])

export const acceptedCodings = 'gzip, br'

/** A response body that no server of the API sends. Retrying would bring the same. */
export class ForeignBody extends Error {
  override readonly name = 'ForeignBody'
}

/** All chunks, up to the size limit. */
async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new ForeignBody(`the answer is longer than ${maxAnswerBytes} bytes`)
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}

function decoded(body: Buffer, codings: readonly string[]): AsyncIterable<Buffer> {
  const steps = codings.map((coding) => decoders.get(coding)?.()).filter((step) => step !== undefined)
  if (steps.length < codings.length || codings.length > maxCodings) {
    throw new ForeignBody(
      `the answer is compressed in a way that was not asked for: ${codings.join(', ').slice(0, 80)}`,
    )
  }
  // An error in any step destroys the last stream with it, where the reader sees it.
  return pipeline([Readable.from([body]), ...steps], () => undefined) as unknown as AsyncIterable<Buffer>
}

/** The codings in the order in which they are undone. */
const codingsOf = (contentEncoding: string | undefined): readonly string[] =>
  (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse()

/** The text of an answer; empty if it has none. Throws for one that is too long, cut, or not compressed as it says. */
export async function bodyText(body: Readable, contentEncoding: string | undefined): Promise<string> {
  const codings = codingsOf(contentEncoding)
  const received = await whole(body)
  // An answer to HEAD says how another would be compressed, and has nothing to decompress.
  const isPlain = codings.length === 0 || received.length === 0
  return (isPlain ? received : await whole(decoded(received, codings))).toString('utf8')
}
