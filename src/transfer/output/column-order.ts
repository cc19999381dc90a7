import {draftShape, type Shape} from '../mapping/draft-shape.js'

/** Server-owned members come first, as the API shows them. */
const first = ['id', 'version', 'versionModifiedAt', 'lastMessageSequenceNumber', 'createdAt', 'lastModifiedAt']
const last = ['createdBy', 'lastModifiedBy']

const topLevel: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...first.map((name) => [name, {kind: 'leaf', leaf: 'text'}] as const),
  ...draftShape,
  ...last.map((name) => [name, {kind: 'open', leaf: 'text'}] as const),
])

type Rank = readonly (number | string)[]

/** Where a path stands among all paths: by the order of members, then by index or name. */
function rankOf(path: string): Rank {
  const rank: (number | string)[] = []
  let shape: Shape | undefined = {kind: 'members', members: topLevel}
  for (const segment of path.split('.')) {
    if (shape?.kind === 'members') {
      const at = [...shape.members.keys()].indexOf(segment)
      rank.push(at < 0 ? shape.members.size : at, segment)
      shape = shape.members.get(segment)
    } else if (shape?.kind === 'each') {
      rank.push(Number(segment))
      shape = shape.each
    } else {
      rank.push(segment)
      shape = undefined
    }
  }
  return rank
}

function compare(one: Rank, other: Rank): number {
  for (const [at, left] of one.entries()) {
    const right = other[at]
    if (right === undefined) return 1
    if (left !== right) return left < right ? -1 : 1
  }
  return one.length - other.length
}

/** Columns in an order that does not depend on which customer came first. */
export const inColumnOrder = (paths: Iterable<string>): string[] =>
  [...paths]
    .map((path) => ({path, rank: rankOf(path)}))
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({path}) => path)
