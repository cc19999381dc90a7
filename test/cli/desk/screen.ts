import stringWidth from 'string-width'

/** A terminal's screen: lines of cells, and the few sequences that prompts use. Throws for one that it does not know. */
export class Screen {
  readonly #columns: number
  #lines: string[][] = [[]]
  #row = 0
  #column = 0

  constructor(columns: number) {
    this.#columns = columns
  }

  written(text: string): this {
    const parts = text.replace(/\u001B\][^\u0007]*\u0007/g, '').matchAll(/\u001B\[([?\d;]*)([A-Za-z])|[\s\S]/gu)
    for (const [part, parameters, final] of parts) {
      if (final !== undefined) this.#obey(final, parameters ?? '')
      else this.#put(part)
    }
    return this
  }

  get text(): string {
    return `${this.lines.join('\n').trimEnd()}\n`
  }

  get lines(): string[] {
    return this.#lines.map((line) =>
      Array.from(line, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    )
  }

  #line(): string[] {
    while (this.#lines.length <= this.#row) this.#lines.push([])
    return this.#lines[this.#row] as string[]
  }

  #put(character: string): void {
    if (character === '\n') {
      this.#row += 1
      this.#column = 0
    } else if (character === '\r') this.#column = 0
    else if (character === '\u0007') return
    else {
      const width = stringWidth(character)
      if (this.#column + width > this.#columns) {
        this.#row += 1
        this.#column = 0
      }
      this.#line()[this.#column] = character
      for (let at = 1; at < width; at += 1) this.#line()[this.#column + at] = ''
      this.#column += width
    }
    this.#line()
  }

  #obey(final: string, parameters: string): void {
    const count = Number(parameters) || 1
    switch (final) {
      case 'm':
      case 'h':
      case 'l':
      case 't':
        return
      case 'A':
        this.#row = Math.max(0, this.#row - count)
        return
      case 'B':
        this.#row += count
        return
      case 'C':
        this.#column += count
        return
      case 'D':
        this.#column = Math.max(0, this.#column - count)
        return
      case 'G':
        this.#column = count - 1
        return
      case 'H':
        this.#row = 0
        this.#column = 0
        return
      case 'K':
        this.#erase(parameters)
        return
      case 'J':
        if (parameters === '2' || parameters === '3') this.#lines = [[]]
        else this.#lines = [...this.#lines.slice(0, this.#row), this.#line().slice(0, this.#column)]
        return
      default:
        throw new Error(`the screen knows no ESC [ ${parameters} ${final}`)
    }
  }

  #erase(parameters: string): void {
    const line = this.#line()
    this.#lines[this.#row] = parameters === '2' ? [] : line.slice(0, this.#column)
  }
}
