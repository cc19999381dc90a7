import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Tool, toolProgram} from './toolchain.js'

/** How each package manager installs the packed tree in a folder, and runs what it installed. */
export interface Manager {
  readonly name: string
  /** Words after the program; undefined if the manager cannot be had. */
  readonly program: readonly string[] | undefined
  readonly install: readonly string[]
  /** The installed command, without its words. */
  readonly command: readonly string[]
  /** A script with the installed library, without its path. */
  readonly script: readonly string[]
  prepare?(folder: string): void
}

const programOf = (tool: Tool): readonly string[] | undefined => {
  const path = toolProgram(tool)
  return path === undefined ? undefined : ['node', path]
}

const shim = ['./node_modules/.bin/frontdesk']

/** `tarball` is the packed tree. */
export function managers(tarball: string): readonly Manager[] {
  const yarn4 = programOf('yarn4')
  return [
    {
      name: 'npm',
      program: ['npm'],
      install: ['install', tarball, '--no-audit', '--no-fund', '--prefer-offline'],
      command: shim,
      script: ['node'],
    },
    {
      name: 'pnpm',
      program: programOf('pnpm'),
      install: ['add', tarball, '--prefer-offline'],
      command: shim,
      script: ['node'],
    },
    {
      name: 'yarn 1',
      program: programOf('yarn1'),
      // yarn 1 keeps a tarball by its name and version, and would install an earlier one.
      install: ['add', tarball, '--prefer-offline', '--non-interactive', '--cache-folder', '.yarn-cache'],
      command: shim,
      script: ['node'],
    },
    {
      name: 'yarn 4 (PnP)',
      program: yarn4,
      prepare: (folder) => {
        const settings = ['enableTelemetry: false', 'enableGlobalCache: false', 'nodeLinker: pnp']
        writeFileSync(join(folder, '.yarnrc.yml'), `${settings.join('\n')}\n`)
        writeFileSync(join(folder, 'yarn.lock'), '')
      },
      install: ['add', `frontdesk@file:${tarball}`],
      command: [...(yarn4 ?? []), 'frontdesk'],
      script: [...(yarn4 ?? []), 'node'],
    },
  ]
}
