import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import ts from 'typescript'
import {root} from '../run.js'

/** Functions that change this machine or the state, by name. What calls one of them outside the door is one itself. */
const primitives = [
  ...['writeFileSync', 'appendFileSync', 'rmSync', 'unlinkSync', 'renameSync', 'linkSync', 'mkdirSync', 'truncateSync'],
  ...['createPrivate', 'replacePrivate', 'removeQuietly', 'writeWhole', 'createPrivateFile', 'privateTable'],
  ...['restoreSnapshot', 'saveSnapshot', 'repairLocal', 'releaseLocal', 'migrateState'],
  ...['resetLocal', 'seedLocal', 'compactLocal', 'storeSecret', 'forgetSecret', 'spawn', 'process.kill'],
]

/** Members of an object that only the door calls. */
const behindTheDoor = new Set(['act', 'request'])

/** What may write outside the door, and why. */
const exempt = new Map([
  ['Output.text', 'knows the dry run: `--out`'],
  ['takeMarksBack', 'is called by the run of a job, behind the door'],
  ['commandOutput', 'asks for a secret by the command of the profile'],
])

interface Unit {
  readonly name: string
  readonly file: string
  readonly calls: ReadonlySet<string>
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

/** The functions and methods of a file, with what they call outside `act` and `request`. */
function unitsOf(file: string): Unit[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const units: Unit[] = []
  const nameOf = (node: ts.Node): string | undefined => {
    if (ts.isFunctionDeclaration(node)) return node.name?.text
    if (ts.isMethodDeclaration(node) || ts.isGetAccessor(node)) {
      const owner = ts.isClassLike(node.parent) ? node.parent.name?.text : undefined
      return owner === undefined ? undefined : `${owner}.${node.name.getText()}`
    }
    const isNamed = ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent)
    return isNamed && ts.isIdentifier(node.name) ? node.name.text : undefined
  }
  // Methods count where they are those of the class itself: of another object, only its type would tell.
  const called = ({expression}: ts.CallExpression): string => {
    if (!ts.isPropertyAccessExpression(expression)) return expression.getText()
    const isOwn = expression.expression.kind === ts.SyntaxKind.ThisKeyword
    const owner = ts.findAncestor(expression, ts.isClassLike)?.name?.text
    return isOwn ? `${owner}.${expression.name.text}` : expression.getText()
  }
  const isShut = (node: ts.Node): boolean =>
    ((ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) && behindTheDoor.has(node.name.getText())) ||
    (ts.isArrowFunction(node) && ts.isCallExpression(node.parent) && called(node.parent) === 'beside')
  const visit = (node: ts.Node, calls: Set<string> | undefined): void => {
    if (isShut(node)) return
    let own = calls
    const name = calls === undefined ? nameOf(node) : undefined
    if (name !== undefined) {
      own = new Set()
      units.push({name, file, calls: own})
    }
    if (ts.isCallExpression(node)) own?.add(called(node))
    ts.forEachChild(node, (child) => visit(child, own))
  }
  visit(source, undefined)
  return units
}

describe('cli · the door', () => {
  it('is passed by everything that changes the target or this machine', () => {
    const units = [...filesBelow('src/cli'), ...filesBelow('commands')].flatMap(unitsOf)
    const why = new Map(primitives.map((name) => [name, '']))
    for (let known = 0; known < why.size; ) {
      known = why.size
      for (const {name, calls} of units) {
        const by = [...calls].find((one) => why.has(one))
        if (by !== undefined && !exempt.has(name) && !why.has(name)) why.set(name, by)
      }
    }
    const open = units.filter(({name}) => /\.run$/.test(name) && why.has(name))
    expect(open.map(({name}) => `${name}: ${trace(name, why)}`)).to.deep.equal([])
  })
})

function trace(name: string, why: ReadonlyMap<string, string>): string {
  const by = why.get(name)
  return by ? `${name} → ${trace(by, why)}` : name
}
