import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import ts from 'typescript'
import {operations} from '../src/api/index.js'

/**
 * What a unit declares, somebody reads: a member of an action, field, operation, collection, stored kind or grant that
 * nobody asks for is a declaration that does nothing. Readers are the sources and the generator of the documents.
 */

const units: readonly (readonly [file: string, ...types: string[]])[] = [
  ['src/domain/action.ts', 'Action', 'Setter', 'ActionResult', 'Facts'],
  ['src/domain/field.ts', 'Field'],
  ['src/domain/customers/fields.ts', 'CustomerField'],
  ['src/domain/custom-actions.ts', 'CustomHolder'],
  ['src/domain/collections/writable.ts', 'WritableCollection'],
  ['src/domain/collections/store-lists.ts', 'StoreList'],
  ['src/api/operation/operation.ts', 'Operation', 'DeprecatedUse', 'Permission'],
  ['src/api/operation/parameters.ts', 'Parameter'],
  ['src/api/operation/collection-table.ts', 'Collection'],
  ['src/api/operation/retention.ts', 'Retention'],
  ['src/api/operation/stored-kinds.ts', 'StoredKind'],
  ['src/api/operation/deprecated-filters.ts', 'DeprecatedFilter'],
  ['src/api/oauth/grants.ts', 'GrantType'],
]

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourcesBelow(path)
    return name.endsWith('.ts') ? [path] : []
  })
}

/** The members of a type that is declared in a file, those of the parts of a union too. */
function membersOf(node: ts.Node): ts.PropertyName[] {
  const found: ts.PropertyName[] = []
  const visit = (one: ts.Node): void => {
    if (ts.isPropertySignature(one) || ts.isMethodSignature(one)) found.push(one.name)
    else ts.forEachChild(one, visit)
  }
  if (ts.isInterfaceDeclaration(node)) for (const member of node.members) visit(member)
  if (ts.isTypeAliasDeclaration(node)) visit(node.type)
  return found
}

/** The names that a node reads of a value, each with that value: `x.name`, `x['name']`, `{name} = x`. */
function readsOf(node: ts.Node): readonly (readonly [name: string, from: ts.Node])[] {
  if (ts.isPropertyAccessExpression(node)) return [[node.name.text, node.expression]]
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return [[node.argumentExpression.text, node.expression]]
  if (!ts.isObjectBindingPattern(node)) return []
  return node.elements.flatMap(({propertyName, name, dotDotDotToken}) => {
    const read = propertyName ?? name
    return dotDotDotToken || !ts.isIdentifier(read) ? [] : [[read.text, node] as const]
  })
}

/** The members that nobody reads, as `Type.member`. */
function unreadMembers(files: readonly string[], declared: typeof units): string[] {
  const {options} = ts.parseJsonConfigFileContent({extends: './tsconfig.json'}, ts.sys, '.')
  const program = ts.createProgram([...files], options)
  const checker = program.getTypeChecker()
  /** By the name of the member, its declarations that nobody was seen to read. */
  const unread = new Map<string, Map<ts.Node, string>>()
  for (const [file, ...types] of declared) {
    const source = program.getSourceFile(file)
    for (const statement of source?.statements ?? []) {
      const isDeclaration = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
      if (!isDeclaration || !types.includes(statement.name.text)) continue
      for (const name of membersOf(statement)) {
        const text = name.getText(source)
        const same = unread.get(text) ?? new Map<ts.Node, string>()
        unread.set(text, same.set(name.parent, `${statement.name.text}.${text}`))
      }
    }
  }
  const visit = (node: ts.Node): void => {
    for (const [name, from] of readsOf(node)) {
      const wanted = unread.get(name)
      if (!wanted) continue
      const type = checker.getNonNullableType(checker.getTypeAtLocation(from))
      for (const part of type.isUnion() ? type.types : [type])
        for (const declaration of checker.getPropertyOfType(part, name)?.declarations ?? []) wanted.delete(declaration)
      if (wanted.size === 0) unread.delete(name)
    }
    ts.forEachChild(node, visit)
  }
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (source && unread.size > 0) visit(source)
  }
  return [...unread.values()].flatMap((left) => [...left.values()])
}

describe('what units declare', () => {
  // What makes the tables of docs, and the walk of what operations read, are readers, too.
  const files = ['src/api', 'src/domain', 'test/docs', 'test/api/operation', 'src', 'commands'].flatMap(sourcesBelow)

  it('is read by somebody, member by member', () => {
    expect(unreadMembers(files, units)).to.deep.equal([])
  })

  it('is asked in one place for every registry of actions', () => {
    const folding = sourcesBelow('src/api').filter((path) => /from '.*\/fold\.js'/.test(readFileSync(path, 'utf8')))
    expect(folding).to.deep.equal(['src/api/operation/change.ts'])
    for (const {id, actions, deprecations = []} of operations) {
      const declared = [...(actions?.values() ?? [])].flatMap(({deprecated}) => deprecated?.id ?? [])
      expect(
        deprecations.map((use) => use.id),
        id,
      ).to.include.members(declared)
    }
  })

  it('is found unread where nobody asks for it', () => {
    const file = 'test/fixtures/unread-member.ts'
    expect(unreadMembers([file], [[file, 'Unit']])).to.deep.equal(['Unit.forgotten'])
  })
})
