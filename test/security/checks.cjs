'use strict'

/**
 * The numbered checks: what a client may try at the authorization service (A to P), what a service may ask of the
 * callback (L), and what the server promises (S). A test carries the numbers it answers for at the head of its title;
 * promises may stand further on as well.
 */
const upTo = (letter, last) => Array.from({length: last}, (_, at) => `${letter}${String(at + 1).padStart(2, '0')}`)
const promises = (...numbers) => numbers.map((number) => `S-${String(number).padStart(2, '0')}`)

/** What a whole run has to answer, by letter. */
const expected = new Map([
  ['A', upTo('A', 25)],
  ['B', upTo('B', 27)],
  ['C', upTo('C', 20)],
  ['P', upTo('P', 25)],
  ['E', upTo('E', 23)],
  ['F', upTo('F', 13)],
  ['G', upTo('G', 26)],
  ['H', upTo('H', 22)],
  ['I', upTo('I', 24)],
  ['J', upTo('J', 15)],
  ['K', upTo('K', 17)],
  ['L', upTo('L', 12)],
  [
    'S',
    promises(
      ...[1, 2, 3, 4, 5, 6, 7, 8],
      ...[10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23],
      ...[30, 31, 32, 33, 34, 35, 36, 38, 39, 40, 41],
      ...[50, 51, 52, 70, 71, 80, 85, 86, 87, 88, 90],
    ),
  ],
])

/** The numbers in a title. */
function numbersOf(title) {
  const head = /^(?:(?:S-|[A-LP])\d\d[ ,]+)+/.exec(`${title} `)?.[0] ?? ''
  return [
    ...new Set([...head.matchAll(/(?:S-|[A-LP])\d\d/g), ...title.matchAll(/\bS-\d\d\b/g)].map(([number]) => number)),
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

module.exports = {Checks}
