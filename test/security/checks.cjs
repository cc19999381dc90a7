'use strict'

const {readFileSync} = require('node:fs')
const {join} = require('node:path')

/**
 * The numbered checks of checks.md, by letter: what a whole run has to answer. A row counts if it has a question.
 * A test carries the numbers it answers for at the head of its title; those of S may stand further on as well.
 */
function numbersByLetter() {
  const text = readFileSync(join(__dirname, 'checks.md'), 'utf8')
  const numbers = [...text.matchAll(/^\| ((?:S-\d{2,3}|[A-MP]\d\d)) \| \S.*\? \|$/gm)].map(([, number]) => number)
  const letters = new Set(numbers.map(([letter]) => letter))
  return new Map([...letters].map((letter) => [letter, numbers.filter((number) => number.startsWith(letter))]))
}

/** What a whole run has to answer, by letter. */
const expected = numbersByLetter()

/** The numbers in a title. */
function numbersOf(title) {
  const head = /^(?:(?:S-\d{2,3}|[A-MP]\d\d)[ ,]+)+/.exec(`${title} `)?.[0] ?? ''
  return [
    ...new Set(
      [...head.matchAll(/(?:S-\d{2,3}|[A-MP]\d\d)/g), ...title.matchAll(/\bS-\d{2,3}\b/g)].map(([number]) => number),
    ),
  ]
}

class Checks {
  /** By number, whether every test that carries it passed. */
  #seen = new Map()
  #cases = 0

  note(title, passed) {
    const numbers = numbersOf(title)
    if (numbers.length > 0) this.#cases += 1
    for (const number of numbers) this.#seen.set(number, (this.#seen.get(number) ?? true) && passed)
  }

  /** A line for each letter, and the numbers that nobody answered for. */
  summary() {
    const missing = []
    const lines = []
    let [passed, all] = [0, 0]
    for (const [letter, numbers] of expected) {
      const good = numbers.filter((number) => this.#seen.get(number) === true)
      missing.push(...numbers.filter((number) => !this.#seen.has(number)))
      lines.push(`${letter} ${good.length}/${numbers.length}`)
      passed += good.length
      all += numbers.length
    }
    const known = new Set([...expected.values()].flat())
    const unknown = [...this.#seen.keys()].filter((number) => !known.has(number))
    return {
      text: `numbered checks: ${passed} of ${all} pass in ${this.#cases} cases (${lines.join(', ')})`,
      missing,
      unknown,
    }
  }

  get isEmpty() {
    return this.#seen.size === 0
  }
}

module.exports = {Checks, numbers: [...expected.values()].flat()}
