import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
import type {Entry} from './entry.js'
import type {Literals} from './literals.js'
import {bodyOf, parsedSegmentLine, type SegmentHead} from './record.js'

/**
 * A line of a segment that a scan looks at, verified before and not a tombstone. The bytes are read over when the scan
 * goes on; what was taken out of them can be kept. The document tells most of what the head does.
 */
export class PassedLine implements Entry {
  readonly #line: Buffer
  readonly #body: Buffer
  #document: Document | undefined

  private constructor(line: Buffer, body: Buffer) {
    this.#line = line
    this.#body = body
  }

  /** Undefined for a tombstone. */
  static of(line: Buffer): PassedLine | undefined {
    const body = bodyOf(line)
    return body && new PassedLine(line, body)
  }

  get id(): string {
    return this.look().id
  }

  get version(): number {
    return this.look().version
  }

  get uniqueKeys(): readonly UniqueKey[] {
    return this.#head.uniqueKeys
  }

  get facets(): readonly (string | null)[] {
    return this.#head.facets
  }

  get bytes(): number {
    return this.#line.length
  }

  get doc(): Document {
    return withJsonText(frozen(this.look()), this.text())
  }

  body(): Buffer {
    return this.#body
  }

  json(): string {
    return this.#body.toString()
  }

  text(): JsonText {
    return JsonText.from(this.#body)
  }

  look(): Document {
    this.#document ??= JSON.parse(this.json()) as Document
    return this.#document
  }

  lacks(literals: Literals): boolean {
    return literals.some((group) => !group.some(({text}) => this.#body.includes(text)))
  }

  get #head(): SegmentHead {
    const parsed = parsedSegmentLine(this.#line)
    if (!parsed) throw new Error('a line that was verified is damaged')
    return parsed.head
  }
}
