import {parse} from '@babel/parser'

/**
 * A bundle of esbuild whose modules keep their functions and variables to themselves. esbuild hoists those of all modules
 * to one scope, which each start would fill with thousands of functions that nothing calls. Only names that other modules
 * use stay there, without a value before their module runs: modules in a circle of imports must not call each other while
 * they are loaded.
 * @param {string} text
 */
export function withModuleScopes(text) {
  const {modules, outside} = modulesOf(parse(text, {sourceType: 'script'}).program.body, text)
  const placeOf = placesOfWords(modules, outside, text)
  /** @type {Map<number, string>} The new code of statements by where they begin. */
  const codes = new Map()
  for (const module of modules) {
    for (const {start} of statementsOf(module)) codes.set(start, '')
    codes.set(
      module.declaration.start,
      scoped(module, (name) => placeOf.get(name) === module, text),
    )
  }
  for (const {start, declarations = []} of outside) {
    const isModule = (/** @type {any} */ {init}) => ['__esm', '__commonJS'].includes(init?.callee?.name)
    if (!declarations.some(isModule)) continue
    const codeOf = (/** @type {any} */ one) => (isModule(one) ? named(one, text) : text.slice(one.start, one.end))
    codes.set(start, `var ${declarations.map(codeOf).join(',')};`)
  }
  let at = 0
  let result = ''
  for (const {start, end} of [...modules.flatMap(statementsOf), ...outside].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + (codes.get(start) ?? text.slice(start, end))
    at = end
  }
  return ['fn', 'cb'].reduce(
    (code, it) => code.replace(`${it}[__getOwnPropNames(${it})[0]]`, it),
    result + text.slice(at),
  )
}

/**
 * The function of a module by a name that tells its path, for stack traces and tests: `src$2fclock$2ets` is `src/clock.ts`.
 * esbuild wraps each in an object with one member, of which V8 makes a class of its own at every start.
 * @param {any} declared @param {string} text
 */
function named({id, init}, text) {
  const [method] = init.arguments[0].properties
  const path = method.key.value.replaceAll(/\W/g, (/** @type {string} */ one) => `$${one.charCodeAt(0).toString(16)}`)
  return `${id.name}=${init.callee.name}(function ${path}${text.slice(method.key.end, method.end)})`
}

/**
 * What esbuild makes of a module: an object for its exports and what fills it, if it is imported as a whole, its functions,
 * and the declaration of its variables, the last of which runs it.
 * @typedef {{spaces: any[], exports: any[], functions: any[], declaration: any}} Module
 */

/** @param {Module} module */
const statementsOf = ({spaces, exports, functions, declaration}) =>
  [...spaces, ...exports, ...functions, declaration].filter(Boolean)

/** @param {readonly any[]} statements @param {string} text */
function modulesOf(statements, text) {
  const modules = []
  const outside = []
  const opened = () => ({spaces: [], exports: [], functions: [], declaration: undefined})
  /** @type {Module} */
  let module = opened()
  for (const statement of statements) {
    const code = text.slice(statement.start, statement.end)
    if (statement.type === 'FunctionDeclaration') module.functions.push(statement)
    else if (/^var \w+_exports\d*=\{\};$/.test(code)) module.spaces.push(statement)
    else if (code.startsWith('__export(')) module.exports.push(statement)
    else {
      if (/^var [^{]*\binit_\w+=__esm\(\{"/.test(code)) modules.push({...module, declaration: statement})
      else outside.push(...statementsOf(module), statement)
      module = opened()
    }
  }
  outside.push(...statementsOf(module))
  return {modules, outside}
}

/**
 * The only module that has a word, be it as a name, in a string or as a member; undefined where there are several. esbuild
 * gives no two variables of the outer scope the same name, nor one of an inner scope that of an outer one.
 * @param {readonly Module[]} modules @param {readonly any[]} outside @param {string} text
 */
function placesOfWords(modules, outside, text) {
  /** @type {Map<string, Module | undefined>} */
  const places = new Map()
  /** @param {any} statement @param {Module | undefined} place */
  const note = ({start, end}, place) => {
    for (const [word] of text.slice(start, end).matchAll(/[\w$]+/g)) {
      places.set(word, !places.has(word) || places.get(word) === place ? place : undefined)
    }
  }
  for (const module of modules) for (const statement of statementsOf(module)) note(statement, module)
  for (const statement of outside) note(statement, undefined)
  return places
}

/** @param {Module} module @param {(name: string) => boolean} isOwn @param {string} text */
function scoped({spaces, exports, functions, declaration}, isOwn, text) {
  /** @param {any} statement */
  const of = ({start, end}) => text.slice(start, end)
  const runs = declaration.declarations.at(-1)
  const variables = declaration.declarations.slice(0, -1).map((/** @type {any} */ {id}) => id.name)
  const {body, end} = runs.init.arguments[0].properties[0]
  const begin = body.directives.at(-1)?.end ?? body.start + 1
  const code = named(runs, text)
  const rest = end - begin + 1
  const shared = functions.filter(({id}) => !isOwn(id.name))
  const names = [...variables.filter((/** @type {string} */ name) => !isOwn(name)), ...shared.map(({id}) => id.name)]
  const own = variables.filter(isOwn)
  return [
    ...spaces.map(of),
    `var ${names.map((name) => `${name},`).join('')}${code.slice(0, -rest)};`,
    own.length > 0 ? `var ${own.join(',')};` : '',
    ...shared.map(({start, end, id}) => `${id.name}=${text.slice(start, id.start).trim()}${text.slice(id.end, end)};`),
    ...functions.filter(({id}) => isOwn(id.name)).map(of),
    ...exports.map(of),
    `${code.slice(-rest)};`,
  ].join('')
}
