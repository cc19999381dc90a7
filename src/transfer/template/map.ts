import {isAssignedCountry} from '../../domain/codes/countries.js'
import {costOf, mayBeHash} from '../../domain/credentials/password-hash.js'
import {isDate, isKey, isLocale} from '../../domain/rules.js'
import {commonDate, dateReader, isYearless} from '../mapping/dates.js'
import {isAppended, starred} from '../mapping/draft-shape.js'
import type {Mapping} from '../mapping/mapping.js'
import type {WholeMap} from './check.js'
import {idRank, placedColumns} from './columns.js'
import type {Profile} from './profile.js'

interface Draft {
  columns: Record<string, string[]>
  constants: Record<string, string | number>
  transforms: Record<string, string[]>
  aliases: Record<string, Record<string, string>>
  fallbacks: Record<string, string>
  leftOut: Record<string, string>
  decide: Record<string, string>
  match?: 'email'
}

type TextsOf = (target: string) => readonly string[]

const phoneAlone = 'a phone alone makes no address; kept in a custom field with --custom-type KEY'

/** The map that names and values of columns suggest, and the columns of which it has nothing. */
export function proposed({rows, columns}: Profile, customType?: string): {map: WholeMap; left: readonly string[]} {
  const draft: Draft = {columns: {}, constants: {}, transforms: {}, aliases: {}, fallbacks: {}, leftOut: {}, decide: {}}
  const {placed, addresses, loose} = placedColumns([...columns.keys()])
  const put = (column: string, target: string): void => {
    const {via} = columns.get(column) ?? {}
    add(draft.columns, via?.column ?? column, target)
    if (via) draft.transforms[target] = [via.transform]
  }
  const textsOf: TextsOf = (target) =>
    [...placed].flatMap(([column, targets]) =>
      !(column in draft.leftOut) && targets.some((path) => isSame(path, target)) ? textsIn(column) : [],
    )
  const textsIn = (column: string): string[] => [...(columns.get(column)?.texts ?? [])]
  for (const column of columns.keys()) {
    const targets = placed.get(column) ?? []
    for (const target of targets) {
      const texts = textsIn(column)
      const isHashed = target === 'hash' || (/^password/.test(target) && texts.some(mayBeHash))
      const isBcrypt = isHashed && texts.length > 0 && texts.every((text) => costOf(text) > 0)
      const why = isBcrypt ? undefined : whyNot(isHashed ? 'hash' : target, texts)
      if (why === undefined) put(column, isBcrypt ? 'passwordHash' : target)
      else draft.leftOut[column] = why
      if (target.endsWith('Name') && targets.length > 1) divide(draft, target)
    }
  }
  keyIn(draft, rows, columns)
  const [email = ''] = [...placed].find(([, targets]) => targets.includes('email')) ?? []
  const again = columns.get(email)?.repeats ?? 0
  if (again > 0) draft.decide['--on-duplicate'] = `of ${rows} emails, ${again} come again: say which row counts.`
  for (const {place, words} of addresses) {
    const role = /bill|invoice|rechnung|factur/.test(words)
      ? 'Billing'
      : /ship|deliver|liefer/.test(words)
        ? 'Shipping'
        : ''
    if (role === '' || !/^\d$/.test(place) || placed.has(`default${role}Address`)) continue
    draft.constants[`default${role}Address`] ??= Number(place)
  }
  const first = addresses.find(({place}) => /^\d$/.test(place))?.place
  for (const [column, member] of [...loose].filter(([, name]) => /phone|mobile|fax/.test(name))) {
    const target = member.replace('.0.', `.${first}.`)
    if (first !== undefined && textsOf(target).length === 0) draft.fallbacks[target] ??= column
    else if (customType === undefined) draft.leftOut[column] = phoneAlone
    else {
      put(column, member.replace(/.*\./, 'custom.fields.'))
      draft.constants['custom.type.key'] = customType
    }
  }
  suggest(draft, textsOf)
  const named = new Set([...Object.keys({...draft.columns, ...draft.leftOut}), ...Object.values(draft.fallbacks)])
  const left = new Set([...columns].map(([column, {via}]) => via?.column ?? column))
  return {map: mapOf(draft), left: [...left].filter((column) => !named.has(column))}
}

function add(lists: Record<string, string[]>, name: string, value: string): void {
  // Several columns, or lists of addresses, say the same of a target once.
  lists[name] = [...(lists[name] ?? []).filter((one) => one !== value), value]
}

/** Whether a target is another one, whatever the place of its address. */
const isSame = (path: string, target: string): boolean => [path, starred(path), everyOf(path)].includes(target)
const everyOf = (path: string): string => (isAppended(path) ? path.replace('+', '*') : path)

function mapOf({columns, constants, transforms, aliases, match, ...more}: Draft): WholeMap {
  const single = (section: Readonly<Record<string, string[]>>) =>
    Object.fromEntries(Object.entries(section).map(([name, list]) => [name, list.length === 1 ? `${list[0]}` : list]))
  const some: Mapping = Object.fromEntries(
    Object.entries(more).filter(([, section]) => Object.keys(section).length > 0),
  )
  const filled = {columns: single(columns), constants, transforms: single(transforms), aliases}
  return {...filled, ...some, ...(match ? {match} : {})}
}

function whyNot(target: string, texts: readonly string[]): string | undefined {
  if (target === 'hash')
    return 'made of a password in a way that no server takes; --password-mode reset-links lets customers set a new one'
  if (target === 'dateOfBirth' && texts.length > 0 && texts.every(isYearless))
    return 'a day without a year is no date of birth'
  if (target === 'locale' && !texts.every((text) => isLocale(text.replaceAll('_', '-'))))
    return 'its values are no language tags, such as de or de-AT'
  if (target === 'customerGroup.key' || target === 'stores.0.key')
    return `kept with --map 'COLUMN=${target}', if the target has them or with --create-references`
  return undefined
}

/** A cell with a whole name fills both. */
const divide = ({transforms}: Draft, target: string): void =>
  add(transforms, everyOf(target), target.endsWith('irstName') ? 'name:first' : 'name:last')

/** What finds customers: a column that is an id by its name and by its values, else the email. */
function keyIn(draft: Draft, rows: number, columns: Profile['columns']): void {
  const ids = [...columns]
    .filter(([column, {via}]) => idRank(column) !== undefined && !via)
    .toSorted(([one], [other]) => (idRank(one) ?? 0) - (idRank(other) ?? 0))
  // Of an export of ours, the id is the project's.
  const isOurs = columns.has('version') && columns.has('createdAt')
  const [key, seen] =
    ids.find(([column, {texts, filled, repeats}]) => {
      const isUnique = filled === rows && repeats === 0
      return isUnique && !(isOurs && column === 'id') && ![...texts].some((text) => text.includes('@'))
    }) ?? []
  if (key !== undefined && seen) {
    draft.columns[key] = [...new Set(['key', ...(draft.columns[key] ?? [])])]
    const fits = (prefix: string): boolean => [...seen.texts].every((text) => isKey(prefix + text))
    if (fits('')) return
    if (!fits(keyPrefix)) add(draft.transforms, 'key', 'replace:/[^A-Za-z0-9_-]+/-/')
    add(draft.transforms, 'key', `prefix:${keyPrefix}`)
    return
  }
  draft.match = 'email'
  const [column = '', {filled, repeats} = {filled: rows, repeats: 0}] = ids[0] ?? []
  if (repeats > 0) delete draft.columns[column]
  if (!(column in draft.columns) && (filled < rows || repeats > 0))
    draft.leftOut[column] =
      `of ${rows} rows, ${filled} have a value, ${repeats} of them again: customers are found by email`
}

/** Makes a key of an id of one digit. */
const keyPrefix = 'shop-'

/** Transforms and aliases that values need. Names of countries that nobody knows are found when the map is checked. */
function suggest(draft: Draft, textsOf: TextsOf): void {
  const countries = Object.values(draft.columns)
    .flat()
    .filter((path) => path.endsWith('.country'))
    .map(everyOf)
  for (const target of new Set(countries))
    if (!textsOf(target).every(isAssignedCountry)) add(draft.transforms, target, 'country')
  if (textsOf('locale').some((text) => text.includes('_'))) add(draft.transforms, 'locale', 'replace:/_/-/')
  const none = textsOf('dateOfBirth').filter((text) => /^[0\s:/.-]+$/.test(text))
  if (none.length > 0) draft.aliases['dateOfBirth'] = Object.fromEntries(none.map((text) => [text, '']))
  const dates = textsOf('dateOfBirth').filter((text) => !none.includes(text) && !isYearless(text))
  const forms = formsOf(dates.filter((text) => !isDate(text)))
  const all = dates.some(isDate) ? ['yyyy-mm-dd', ...forms] : forms
  if (forms.length > 0) add(draft.transforms, 'dateOfBirth', `date:${all.join('|')}`)
  if (forms.length > 1)
    draft.decide['dateOfBirth'] =
      `nothing in the file tells days from months: leave one of ${forms.join(' and ')} in transforms.`
}

const dateForms =
  'dd-mm-yyyy mm-dd-yyyy dd/mm/yyyy mm/dd/yyyy d/m/yyyy m/d/yyyy d.m.yy d/m/yy m/d/yy d-mmm-yy yyyy-mm-ddzz'.split(' ')

/** The forms that all dates have, one for each way to read them: only a person can tell which is meant. */
function formsOf(dates: readonly string[]): readonly string[] {
  if (dates.every((text) => isDate(commonDate(text)))) return []
  if (dates.every((text) => /^-?\d{9,14}$/.test(text))) return [dates.some((text) => text.length > 11) ? 'ms' : 's']
  const readings = new Map<string, string>()
  for (const form of dateForms) {
    const read = dates.map(dateReader('date', form))
    const days = read.flatMap((one) => ('value' in one ? one.value : [])).join()
    if (read.every((one) => 'value' in one) && !readings.has(days)) readings.set(days, form)
  }
  return [...readings.values()]
}
