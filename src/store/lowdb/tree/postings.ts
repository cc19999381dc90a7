/** An inverted index: the ids of each text. A text with a single id needs no set. */
export class Postings {
  readonly #ids = new Map<string, string | Set<string>>()

  add(text: string, id: string): void {
    const present = this.#ids.get(text)
    if (present === undefined) this.#ids.set(text, id)
    else if (typeof present !== 'string') present.add(id)
    else if (present !== id) this.#ids.set(text, new Set([present, id]))
  }

  remove(text: string, id: string): void {
    const present = this.#ids.get(text)
    if (present === id) this.#ids.delete(text)
    else if (present instanceof Set && present.delete(id) && present.size === 0) this.#ids.delete(text)
  }

  get(text: string): readonly string[] {
    const present = this.#ids.get(text)
    if (present === undefined) return []
    return typeof present === 'string' ? [present] : [...present]
  }
}
