import {readFileSync} from 'node:fs'

const declaration = /^(?:const|var) (\w+_\d+) = (.*\brequire\("[^"]+"\).*);$/gm

/**
 * CommonJS, as TypeScript compiles it, whose modules are loaded when they are first used and not when the file is. It
 * writes each use as `name.member`; a name that stands alone is left as it is.
 * @param {string} source
 */
export function lateRequires(source) {
  const names = [...source.matchAll(declaration)]
    .map(([, name = '']) => name)
    .filter((name) => source.match(new RegExp(`\\b${name}\\b(?!\\.)`, 'g'))?.length === 1)
  const late = source.replace(declaration, (line, name, expression) =>
    names.includes(name) ? `let ${name}$; const ${name} = () => (${name}$ ??= ${expression});` : line,
  )
  return names.reduce(
    (text, name) =>
      text
        .replace(new RegExp(`\\bnew ${name}(\\.\\w+)`, 'g'), `new (${name}()$1)`)
        .replace(new RegExp(`\\b${name}(?=\\.)`, 'g'), `${name}()`),
    late,
  )
}

/**
 * What nothing of ours asks oclif for: patterns of plugins, spinners, and whether this is Linux on Windows, for which it
 * looks into several files at each start.
 * @type {Readonly<Record<string, string>>}
 */
const stubs = {
  'cli-spinners': 'export default {}',
  minimatch: 'export const minimatch = undefined',
  'wsl-utils': 'export const isWsl = false',
}

/** oclif opens stdout in order to hear of closed pipes, which `src/cli/process` hears of. */
export const stdoutListener =
  /^process\.stdout\.on\('error', \(err\) => \{\n {4}if \(.*'EPIPE'\)\n {8}return;\n {4}throw err;\n\}\);$/m

/** For the bundle: oclif loads all of itself, and its libraries for plugins and spinners, before anything is run. */
export const lateOclif = {
  name: 'late-oclif',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({filter: /@oclif[\\/]core[\\/]lib[\\/].*\.js$/}, ({path}) => ({
      contents: lateRequires(readFileSync(path, 'utf8').replace(stdoutListener, '')),
      loader: 'js',
    }))
    const filter = new RegExp(`^(${Object.keys(stubs).join('|')})$`)
    build.onResolve({filter}, ({path}) => ({path, namespace: 'stub'}))
    build.onLoad({filter: /.*/, namespace: 'stub'}, ({path}) => ({contents: stubs[path] ?? ''}))
  },
}
