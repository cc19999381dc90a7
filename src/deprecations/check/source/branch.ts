import type {Expression, Node} from '@babel/types'

/** A node of a syntax tree, and the way to it. */
export interface Branch {
  readonly node: Node
  /** Absent: the root. */
  readonly parent: Branch | undefined
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The child nodes in the order of the parser's members, which is that of the text but for a few. */
function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) isNode(item) && children.push(item)
    else if (isNode(value)) children.push(value)
  }
  return children
}

/** All nodes of a tree, each before its children. Does not recurse, as chains of calls are deep without brackets. */
export function* branchesOf(root: Node): Generator<Branch> {
  const open: Branch[] = [{node: root, parent: undefined}]
  for (let branch = open.pop(); branch; branch = open.pop()) {
    yield branch
    const parent = branch
    for (const node of childrenOf(branch.node).reverse()) open.push({node, parent})
  }
}

/** An expression without type assertions around it, which change nothing of its value. */
export function bare<T extends Node>(node: T): T | Expression {
  let at: T | Expression = node
  while (
    at.type === 'TSAsExpression' ||
    at.type === 'TSSatisfiesExpression' ||
    at.type === 'TSNonNullExpression' ||
    at.type === 'TSTypeAssertion'
  ) {
    at = at.expression
  }
  return at
}

/** The branch whose value a node is: outwards past type assertions. */
export function valueBranch(branch: Branch): Branch {
  let at = branch
  while (at.parent && bare(at.parent.node) !== at.parent.node) at = at.parent
  return at
}
