import {fish} from './fish.js'
import {bash, zsh} from './posix.js'
import {powershell} from './powershell.js'
import type {Tables} from './tables.js'

const scripts = {bash, zsh, fish, powershell} as const

export const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[]

/** The script that completes `frontdesk` in a shell. */
export const completionScript = (shell: keyof typeof scripts, tables: Tables): string => scripts[shell](tables)
