import {expect} from 'chai'
import {parsePredicate, parseWhere} from '../../src/query/parser.js'
import {QueryError} from '../../src/query/query-error.js'
import {customerShape, noVars} from './customer-shape.js'

const parse = (text: string, vars: Record<string, string[]> = {}) =>
  parsePredicate(text, customerShape, new Map(Object.entries(vars)))

const failure = (text: string, vars: Record<string, string[]> = {}): string => {
  try {
    parse(text, vars)
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
  throw new Error(`parsed: ${text}`)
}

const email = {path: ['email'], type: 'string'} as const

describe('query · parser', () => {
  it('reads a comparison', () => {
    expect(parse('email = "a@b.c"')).to.deep.equal({op: 'compare', field: email, comparison: '=', value: 'a@b.c'})
    expect(parse('version>=3')).to.deep.include({comparison: '>=', value: 3})
    expect(parse('isEmailVerified = TRUE')).to.deep.include({value: true})
    expect(parse('email <> "x"')).to.deep.include({comparison: '!='})
  })

  it('lets and bind stronger than or, and keeps parentheses', () => {
    const predicate = parse('version = 1 or version = 2 and version = 3')
    expect(predicate.op).to.equal('or')
    expect(predicate).to.have.nested.property('terms[1].op', 'and')
    expect(parse('(version = 1 or version = 2) AND NOT(version = 3)')).to.have.nested.property('terms[1].op', 'not')
  })

  it('unescapes texts and takes any name in backticks', () => {
    expect(parse(String.raw`email = "a\"b\\c"`)).to.deep.include({value: 'a"b\\c'})
    expect(parse('custom(fields(`my-field` = "x"))')).to.have.nested.property('term.term.field.path[0]', 'my-field')
    expect(parse('custom(fields(`in` is defined))')).to.have.nested.property('term.term.op', 'defined')
  })

  it('marks objects, arrays and derived values', () => {
    expect(parse('customerGroup(id = "g")')).to.have.property('single', true)
    expect(parse('addresses(city = "X")')).not.to.have.property('single')
    expect(parse('shippingAddressIds contains any ("a")')).to.have.nested.property('field.array', true)
    expect(parse('lowercaseEmail = "a"')).to.have.nested.property('field.facet', 'lowercaseEmail')
  })

  it('converts a variable to the type of the field', () => {
    expect(parse('version = :v', {v: ['3']})).to.deep.include({value: 3})
    expect(parse('email = :v', {v: ['3']})).to.deep.include({value: '3'})
    expect(parse('email in :v', {v: ['a', 'b']})).to.deep.include({op: 'in', values: ['a', 'b']})
    expect(parse('email in (:v, "b")', {v: ['a']})).to.deep.include({op: 'in', values: ['a', 'b']})
  })

  it('takes a variable for a field of unknown type as text and as what it looks like', () => {
    expect(parse('custom(fields(x = :v))', {v: ['5']})).to.have.deep.nested.property('term.term.values', ['5', 5])
    expect(parse('custom(fields(x = :v))', {v: ['a']})).to.have.nested.property('term.term.value', 'a')
  })

  it('brings date-times into canonical form', () => {
    expect(parse('createdAt > "2026-01-01T02:00:00+02:00"')).to.deep.include({value: '2026-01-01T00:00:00.000Z'})
    expect(parse('createdAt > "2026-01-01"')).to.deep.include({value: '2026-01-01T00:00:00.000Z'})
  })

  it('reads a circle', () => {
    expect(parse('custom(fields(place within circle(13.4, 52.5, 1000)))'))
      .to.have.property('term')
      .that.has.property('term')
      .that.includes({op: 'within', longitude: 13.4, latitude: 52.5, radiusMeters: 1000})
  })

  it('names the place of a syntax error', () => {
    expect(failure('email = ')).to.equal(
      "Malformed parameter: where: Syntax error while parsing 'where'. Unexpected end of input, expected a String " +
        'in double quotes such as "text" (line 1, column 9):\nemail = \n        ^',
    )
    expect(failure('email = "a" and\nemail like "b"')).to.include(
      "Invalid input 'like', expected comparison operator, not, in, contains, is, within or '(' (line 2, column 7):\n" +
        'email like "b"\n      ^',
    )
  })

  it('does not know fields that the shape does not name', () => {
    for (const name of ['password', 'passwordHash', '__proto__', 'constructor', 'x']) {
      expect(failure(`${name} = "x"`)).to.equal(`Malformed parameter: where: The field '${name}' does not exist.`)
      expect(failure(`${name} is defined`)).to.include('does not exist')
    }
    expect(failure('addresses(email = "x")')).to.include("The field 'email' does not exist.")
  })

  it('refuses values of another type', () => {
    const wrong = [
      'version = "3"',
      'email = 3',
      'isEmailVerified = "true"',
      'createdAt = "yesterday"',
      'createdAt > "2026-02-30T00:00:00.000Z"',
      'dateOfBirth = "1985-02-29"',
      'version = 9007199254740993',
      'version = 1e400',
      'email in ()',
      'email is null',
      'customerGroup = "x"',
      'email(x = 1)',
      'email within circle(1, 2, 3)',
      'custom(fields(p within circle(181, 2, 3)))',
    ]
    for (const text of wrong) expect(failure(text), text).to.include('Malformed parameter: where: Syntax error')
  })

  it('refuses missing, repeated and ill-typed variables', () => {
    expect(failure('email = :v')).to.include("The variable 'v' has no value: send it as 'var.v'")
    expect(failure('email = :v', {v: ['a', 'b']})).to.include('several values')
    expect(failure('version = :v', {v: ['x']})).to.include('is not a Number such as 12.5')
    expect(failure('email = :', {v: ['x']})).to.include('column 10')
    expect(failure('email in :v', {v: []})).to.include('has no value')
  })

  it('refuses what is not a predicate, with its position', () => {
    const wrong = [
      '',
      ' ',
      'email',
      'email=',
      '('.repeat(1000),
      'email = "abc',
      'email = "a',
      'email = "a\\n"',
      'email="a" or 1=1--',
      "'; drop table customers;--",
      'not email = "a"',
      'not not not',
      'email = "a" email = "b"',
      'email = "a")',
      '`email = "a"',
      '`` = "a"',
      'email = "\u0000"',
      'email = "\ud800"',
      'email matches "a"',
      'email = "a" and and',
    ]
    for (const text of wrong)
      expect(failure(text), text).to.match(/^Malformed parameter: where: .*\(line 1, column \d+\)/s)
  })

  it('limits length, nesting, conditions and repetitions', () => {
    expect(failure(`email = "${'a'.repeat(16_991)}"`)).to.include('longer than 16000 characters (line 1, column 16001)')
    expect(parse(`email = "${'a'.repeat(15_990)}"`)).to.have.property('op', 'compare')
    const nested = (levels: number) => `${'('.repeat(levels)}version = 1${')'.repeat(levels)}`
    expect(parse(nested(20))).to.have.property('op', 'compare')
    expect(failure(nested(21))).to.include('nested deeper than 20 levels')
    const flat = Array.from({length: 25}, () => 'not(version = 1)').join(' and ')
    expect(parse(flat)).to.have.property('terms').that.has.lengthOf(25)
    const many = (count: number) => Array.from({length: count}, () => 'version=1').join(' or ')
    expect(parse(many(499)))
      .to.have.property('terms')
      .that.has.lengthOf(499)
    expect(failure(many(501))).to.include('more than 500 conditions')
    const texts = (count: number) => Array.from({length: count}, () => 'version = 1')
    expect(parseWhere(texts(10), customerShape, noVars)).to.have.property('op', 'and')
    expect(parseWhere(texts(1), customerShape, noVars)).to.have.property('op', 'compare')
    expect(parseWhere([], customerShape, noVars)).to.equal(undefined)
    expect(() => parseWhere(texts(11), customerShape, noVars)).to.throw(QueryError, 'at most 10 times')
  })
})
