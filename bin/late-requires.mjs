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
 * For the bundle: oclif loads all of itself, and its libraries for plugins and spinners, before anything is run. At each
 * start it also looks into several files to tell Linux on Windows from any other; nothing of ours depends on that.
 */
export const lateOclif = {
  name: 'late-oclif',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({filter: /@oclif[\\/]core[\\/]lib[\\/].*\.js$/}, ({path}) => ({
      contents: lateRequires(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
    build.onResolve({filter: /^wsl-utils$/}, ({path}) => ({path, namespace: 'stand-in'}))
    build.onLoad({filter: /.*/, namespace: 'stand-in'}, () => ({contents: 'export const isWsl = false'}))
  },
}
