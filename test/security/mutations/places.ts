import ts from 'typescript'

/** One small change of a source, by the characters that it replaces. */
export interface Place {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The change for people. */
  readonly what: string
}

const {SyntaxKind: Kind} = ts

const operators = new Map<ts.SyntaxKind, string>([
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.QuestionQuestionToken, '&&'],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
])

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** What may be changed at a node: the part of it, and what stands there instead. */
function changesOf(node: ts.Node): [ts.Node, string][] {
  if (ts.isBinaryExpression(node)) {
    const other = operators.get(node.operatorToken.kind)
    const joinsText = node.operatorToken.kind === Kind.PlusToken && (isText(node.left) || isText(node.right))
    return other === undefined || joinsText ? [] : [[node.operatorToken, other]]
  }
  if (ts.isIfStatement(node)) {
    const decided = ['true', 'false'].map((value): [ts.Node, string] => [node.expression, value])
    return node.elseStatement || !ts.isReturnStatement(node.thenStatement) ? decided : [...decided, [node, '']]
  }
  if (ts.isConditionalExpression(node))
    return [
      [node.condition, 'true'],
      [node.condition, 'false'],
    ]
  if (node.kind === Kind.TrueKeyword) return [[node, 'false']]
  if (node.kind === Kind.FalseKeyword) return [[node, 'true']]
  if (!ts.isNumericLiteral(node) || (ts.isPropertyAssignment(node.parent) && node.parent.name === node)) return []
  const value = Number(node.text)
  return [[node, String(value + 1)], ...(value > 0 ? [[node, String(value - 1)] as [ts.Node, string]] : [])]
}

/** Every place of a source that can be changed so that it still loads; types are left alone. */
export function placesOf(source: string): Place[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const places: Place[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    for (const [changed, replacement] of changesOf(node)) {
      const [start, end] = [changed.getStart(file), changed.end]
      const what = `${source.slice(start, end).replaceAll(/\s+/g, ' ')} → ${replacement || 'nothing'}`
      places.push({line: file.getLineAndCharacterOfPosition(start).line + 1, start, end, replacement, what})
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return places
}
