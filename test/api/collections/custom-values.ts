import fc from 'fast-check'
import {keyed, pack} from '../../fixtures/pack.js'

/** A value of a type: what it is compared as, ways to write it into a field, and ways to name it in a predicate. */
export interface Value {
  readonly is: string | number
  readonly written: readonly unknown[]
  readonly literals: readonly string[]
}

export interface Kind {
  readonly field: string
  readonly isSet?: true
  /** The member that is compared, of an object. */
  readonly member?: string
  readonly values: readonly Value[]
}

const quoted = (text: string): string => JSON.stringify(text)
const same = (is: string | number, ...texts: readonly string[]): Value => ({
  is,
  written: texts,
  literals: texts.map(quoted),
})
const moment = (...texts: readonly [string, ...string[]]): Value => same(Date.parse(texts[0]), ...texts)
const number = (is: number, ...literals: readonly string[]): Value => ({is, written: [is], literals})
const money = (centAmount: number, currencyCode = 'EUR'): Value => ({
  is: centAmount,
  written: [
    {centAmount, currencyCode},
    {type: 'centPrecision', currencyCode, centAmount, fractionDigits: 2},
  ],
  literals: [`${centAmount}`, `${centAmount}.0`],
})
const person = (key: string): Value => {
  const {id} = keyed(pack.customers, key)
  const written = [
    {typeId: 'customer', id},
    {typeId: 'customer', key},
  ]
  return {is: id, written, literals: [quoted(id)]}
}
const keys = (...texts: readonly string[]): readonly Value[] => texts.map((text) => same(text, text))

const bareDate: Value = {
  is: Date.parse('2026-10-30'),
  written: ['2026-10-29T22:00:00-02:00', '2026-10-30T00:00:00Z'],
  literals: ['"2026-10-30"', '"2026-10-30T00:00Z"'],
}
const moments = [
  moment('2026-10-30T10:05:00.000Z', '2026-10-30T10:05:00Z', '2026-10-30T12:05:00+02:00', '2026-10-30T10:05:00.0Z'),
  moment('2026-10-30T11:00:00.000Z', '2026-10-30T09:00:00-02:00'),
  moment('2026-10-30T10:05:00.120Z', '2026-10-30T10:05:00.12Z', '2026-10-30T23:05:00.12+13:00'),
  bareDate,
]
const times = [
  same('10:30:00.000', '10:30:00.000', '10:30:00', '10:30:00.0'),
  same('10:30:00.500', '10:30:00.500', '10:30:00.5'),
  same('09:00:00.000', '09:00:00', '09:00:00.00'),
]
const numbers = [
  number(5, '5', '5.0', '0.5e1'),
  number(4.5, '4.5', '45e-1'),
  number(-0.25, '-0.25', '-2.5E-1'),
  number(10, '10', '1e1'),
]
const switches: readonly Value[] = [
  {is: 0, written: [false], literals: ['false', 'FALSE']},
  {is: 1, written: [true], literals: ['true', 'True']},
]
/** Some look like values of other types. */
const texts = keys(
  'a',
  '10',
  '9',
  'say "x"',
  '2026-10-30T10:05:00Z',
  '2026-10-30T10:05:00.000Z',
  '10:30:00',
  '10:30:00.0',
)
const days = keys('2000-02-29', '1999-12-31', '2000-03-01')

/** Fields of the demo shop's `profile`. */
export const kinds: readonly Kind[] = [
  {field: 'lastVisit', values: moments},
  {field: 'calls', isSet: true, values: moments},
  {field: 'callAt', values: times},
  {field: 'slots', isSet: true, values: times},
  {field: 'anniversary', values: days},
  {field: 'visits', isSet: true, values: days},
  {field: 'shoeSize', values: numbers},
  {field: 'luckyNumbers', isSet: true, values: numbers},
  {field: 'subscribed', values: switches},
  {field: 'optIns', isSet: true, values: switches},
  {field: 'note', values: texts},
  {field: 'tags', isSet: true, values: texts},
  {field: 'tier', values: keys('bronze', 'silver', 'gold')},
  {field: 'season', values: keys('spring', 'autumn')},
  {field: 'consents', isSet: true, values: keys('post', 'phone')},
  {field: 'seasons', isSet: true, values: keys('spring', 'winter')},
  {field: 'budget', member: 'centAmount', values: [money(500), money(1000), money(99, 'USD')]},
  {field: 'credits', member: 'centAmount', isSet: true, values: [money(500), money(1000), money(99, 'USD')]},
  {field: 'adviser', member: 'id', values: [person('hazel-brandvold'), person('two-shops')]},
]

/** Which values each customer has of each field, as numbers of the list; none where it has no value. */
export const owners = Array.from({length: 12}, (_, at) => ({
  key: `v-${at}`,
  has: ({values, isSet}: Kind, place: number): readonly number[] => {
    const first = (at * 7 + place * 3) % (values.length + 1)
    if (first === values.length) return []
    return isSet && at % 2 === 0 ? [...new Set([first, (first + 1) % values.length])] : [first]
  },
}))
export type Owner = (typeof owners)[number]

export const mails = owners.map(({key}) => quoted(`${key}@example.com`)).join(', ')

export const fieldsOf = ({has, key}: Owner): object =>
  Object.fromEntries(
    kinds.flatMap((kind, place) => {
      const values = has(kind, place).map((which) => {
        const {written} = kind.values[which] as Value
        return written[key.length % written.length]
      })
      return values.length === 0 ? [] : [[kind.field, kind.isSet ? values : values[0]]]
    }),
  )

export const draftOf = (owner: Owner) => ({
  key: owner.key,
  email: `${owner.key}@example.com`,
  authenticationMode: 'ExternalAuth',
  custom: {type: {typeId: 'type', key: 'profile'}, fields: fieldsOf(owner)},
})

export const orders = {
  '=': (order: number) => order === 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
}
type Operator = keyof typeof orders | '!=' | 'in' | 'not in' | 'contains any' | 'contains all'

export interface Question {
  readonly place: number
  readonly operator: Operator
  /** Numbers of values, each with the way in which it is written. */
  readonly asked: readonly (readonly [number, number])[]
  readonly isVariable: boolean
}

export const questions: fc.Arbitrary<Question> = fc.record({
  place: fc.nat(kinds.length - 1),
  operator: fc.constantFrom<Operator>(
    ...(Object.keys(orders) as Operator[]),
    ...(['!=', 'in', 'not in', 'contains any', 'contains all'] as const),
  ),
  asked: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), {minLength: 1, maxLength: 2}),
  isVariable: fc.boolean(),
})

export function read({place, operator, asked, isVariable}: Question) {
  const kind = kinds[place] as Kind
  const isList = operator.length > 2 || operator === 'in'
  const chosen = (isList ? asked : asked.slice(0, 1)).map(([which, way]) => {
    const value = kind.values[which % kind.values.length] as Value
    return {is: value.is, literal: value.literals[way % value.literals.length] as string}
  })
  const literals = chosen.map(({literal}) => literal)
  // A variable is the text, whatever the type; only the keywords of the language have any case.
  const raw = literals.map((one) => (one.startsWith('"') ? (JSON.parse(one) as string) : one.toLowerCase()))
  const right = isVariable ? ':v' : isList ? `(${literals.join(', ')})` : literals[0]
  const condition = `${kind.member ?? kind.field} ${operator} ${right}`
  const where = `custom(fields(${kind.member ? `${kind.field}(${condition})` : condition}))`
  return {kind, where, isList, wanted: chosen.map(({is}) => is), variables: isVariable ? raw : [], raw}
}

/** What a plain reading of the values says. */
export function holds({has}: Owner, {place, operator}: Question, {kind, wanted}: ReturnType<typeof read>): boolean {
  const own = has(kind, place).map((which) => (kind.values[which] as Value).is)
  const orderOf = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  const some = (test: (order: number) => boolean, one = wanted[0] as string | number) =>
    own.some((value) => test(orderOf(value, one)))
  const isOne = (one: string | number) => some(orders['='], one)
  // Of a list of objects one is asked about alone: it is not this value if another one is.
  if ((operator === '!=' || operator === 'not in') && kind.member) return own.some((value) => !wanted.includes(value))
  if (operator === '!=' || operator === 'not in') return own.length > 0 && !wanted.some(isOne)
  // A member of an object is one value.
  if (operator === 'contains all' && kind.member) return own.some((value) => wanted.every((one) => one === value))
  if (operator === 'contains all') return wanted.every(isOne)
  if (operator === 'in' || operator === 'contains any') return wanted.some(isOne)
  return some(orders[operator])
}
