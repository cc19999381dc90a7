import {type Cause, Causes, templateOf} from '../check/causes.js'
import {checkRows} from '../check/checked-rows.js'
import {eachRow, type Source} from '../input/row.js'
import type {Mapping} from '../mapping/mapping.js'
import {lacksPassword} from '../write/creation.js'

export type WholeMap = Mapping & Required<Pick<Mapping, 'columns'>>

export interface Reading {
  readonly sources: readonly Source[]
  readonly seed: number
  readonly today: string
}

/** The map with what its own import of the files would refuse, as what a person has to decide. */
export async function checked(map: WholeMap, reading: Reading): Promise<WholeMap> {
  const decide: Record<string, string> = {...map.decide}
  const targets = Object.entries(map.columns).flatMap(([column, paths]) => [paths].flat().map((path) => [path, column]))
  if (!targets.some(([path]) => path === 'email') && !('email' in {...map.fallbacks, ...map.constants}))
    return {
      ...map,
      decide: {...decide, email: 'no column has the emails, which customers need: name it under columns.'},
    }
  const [invalid, repeats, named] = [new Causes(), new Causes(), new Causes()]
  let withoutPassword = 0
  const options = {
    mapping: map,
    match: map.match ?? 'key',
    mode: 'upsert',
    isOurs: () => Promise.resolve(false),
  } as const
  for await (const {issues, draft, place} of eachRow((await checkRows({...reading, ...options})).pieces)) {
    if (lacksPassword(draft)) withoutPassword += 1
    for (const issue of issues) {
      const isDecided = targets.some(([path = '', column]) => column === issue.column && path in decide)
      const causes = issue.alias ? named : issue.code === 'DuplicateField' ? repeats : invalid
      if (issue.alias || !isDecided) causes.add(issue, place)
    }
  }
  const {causes = []} = invalid.members
  const hasCountry = targets.some(([path = '']) => /^addresses\.[*+]\.country$/.test(path))
  const isUnfilled = ({column = ''}: Cause): boolean => !hasCountry && /^addresses\.\d+\.country$/.test(column)
  for (const cause of causes.filter(isUnfilled))
    decide[`${cause.column}`] =
      `no column has it, and each address needs one (line ${linesOf(cause.first)}): say it under constants, such as "${cause.column}": "DE", or move the columns of the address to leftOut.`
  const unknown = Object.entries(named.members.aliases ?? {})
  for (const [target, values] of unknown)
    decide[target] = `give each null in aliases its value: ${Object.keys(values).slice(0, 10).join(', ')}.`
  const aliases = Object.fromEntries(unknown.map(([target, values]) => [target, {...values, ...map.aliases?.[target]}]))
  const others = causes.filter((cause) => !isUnfilled(cause))
  const flags = {
    '--on-duplicate': ['has what only one customer can have: say which one counts.', repeats.members.causes ?? []],
    '--skip-invalid': ['is not valid; correct the file, or leave such rows out.', others],
  } as const
  for (const [flag, [words, found]] of Object.entries(flags))
    if (found.length > 0) decide[flag] = `${decide[flag] ?? `a row ${words}`} ${toldOf(found)}`
  if (withoutPassword > 0)
    decide['--password-mode'] =
      `rows without a password: ${withoutPassword}; choose reset-links, generate or external-auth.`
  return {
    ...map,
    ...(map.aliases || unknown.length > 0 ? {aliases: {...map.aliases, ...aliases}} : {}),
    ...(Object.keys(decide).length > 0 ? {decide} : {}),
  }
}

/** The first causes, with their rows. A map is kept and passed on, so it repeats no values of customers. */
const toldOf = (causes: readonly Cause[]): string =>
  [...causes.slice(0, 3)]
    .map(({column, message, first}) => `${column}: ${templateOf(message)} (line ${linesOf(first)})`)
    .join(' ')
const linesOf = (places: Cause['first']): string => places.map(({line}) => line).join(', ')
