import type {Config} from '@oclif/core'
import {emptyPractice, isEmpty, seedDemo} from '../command/practice.js'
import {rulerForAll} from '../output/width.js'
import {exitCodes} from '../process/exit-codes.js'
import {signalsGoTo} from '../process/interruption.js'
import {isPlain, variable} from '../process/io.js'
import type {Connection} from '../run/connection.js'
import type {Run} from '../run/run.js'
import {acts, checkKey, firstActs, menuKeys} from './acts.js'
import {callerFieldsOf} from './caller-check.js'
import {conversing} from './conversation.js'
import {idleConnection} from './idle-connection.js'
import {linePrompter} from './line-prompter.js'
import {policyOf} from './noting.js'
import {type Prompter, standingText} from './prompter.js'
import {screenPrompter} from './screen-prompter.js'
import {type Service, serviceOf} from './service.js'
import {menuLine, menuText, shownText} from './shown.js'

/** Flags that a session hands on to the commands that it runs; those of the connection are shared with it. */
const handedOn = [
  ...(['profile', 'project-key', 'api-url', 'auth-url', 'data', 'store', 'confirm-profile'] as const),
  ...(['local', 'global', 'dry-run', 'redact', 'no-color', 'verbose', 'quiet', 'reveal'] as const),
] as const

interface SessionOptions {
  readonly run: Run<{readonly plain?: boolean}>
  readonly config: Config
  readonly connection: Connection
  readonly text: string
}

/**
 * The state of an embedded target is given back after so long without use: longer than between two keys of a search, or
 * an act and its card, and short, since what is open does not see what others write.
 */
const idleMs = 300

/** Holds a session. Returns the acts that were run. */
export async function sessionAt({run, config, connection, text}: SessionOptions): Promise<Service['log']> {
  const {io, flags, resolved, redaction} = run
  const inLines = flags.plain === true || isPlain(io.env)
  const colour = !inLines && flags['no-color'] !== true && variable(io.env, 'NO_COLOR') === undefined
  const columns = (): number => io.stderr.columns || 80
  // Names and places are rarely plain ASCII, so the tables of Unicode are loaded once and for all.
  const {widthOf} = await rulerForAll()
  const {label, target, profile} = resolved
  const standing = {label, projectKey: target.projectKey, isProtected: profile.protected === true, isDryRun: run.isDry}
  const prompter = inLines ? linePrompter(io, standing) : await screenPrompter({io, colour, standing, columns, widthOf})
  const isEmbedded = target.kind === 'embedded'
  const idle = idleConnection(connection, () => run.client(), isEmbedded ? idleMs : undefined)
  const bold = (shown: string): string => (colour ? `\u001B[1m${shown}\u001B[22m` : shown)
  const alert = (shown: string): string => (colour ? `\u001B[31m${bold(shown)}\u001B[39m` : shown)
  prompter.print(`${bold('frontdesk desk')} · ${standingText(standing)} (${target.projectKey})\n`)
  if (isEmbedded && (await idle.use(isEmpty).catch(() => false))) prompter.print(practice(target.projectKey))
  let close = (): void => undefined
  const ends = endsOf(prompter, () => close())
  const callerFields = callerFieldsOf(await run.guards())
  const service = serviceOf({
    ...{run, config, columns},
    // What commands print in plain lines has no rules and marks beyond ASCII either.
    io: inLines ? {...io, env: {...io.env, TERM: 'dumb'}} : io,
    prompts: prompter.prompts,
    connection: idle,
    callerFields,
    flags: [...flagsFor(flags), ...(colour || flags['no-color'] ? [] : ['--no-color'])],
    // Each wait begins with a first Ctrl-C.
    onUse: () => ends.takeInterrupts(),
  })
  const masked = (document: unknown): unknown => redaction.document(document)
  const conversation = conversing({
    prompter,
    service,
    policy: policyOf(resolved, flags, io.env, callerFields),
    textOf: (shown) => redaction.text(shownText(shown, {columns: columns(), masked, bold, alert, widthOf})),
    shown: redaction.text,
    menuOf: ({hidesFields, customer}, isWhole) => {
      const check = hidesFields ? [checkKey] : []
      if (isWhole) return `\n${menuText([...check, ...acts, ...menuKeys, {key: 'enter', label: 'card'}], columns())}`
      const fit = firstActs.filter(({unfit}) => unfit?.(customer) === undefined)
      return `\n${menuLine(
        [...check, ...fit],
        menuKeys.filter(({key}) => key === '/' || key === '?'),
        columns(),
      )}`
    },
  })
  close = () => {
    conversation.close()
    prompter.close()
  }
  try {
    await conversation.hold(text)
    return service.log
  } finally {
    ends.release()
  }
}

/** What somebody reads who opens the desk for the first time. */
const practice = (projectKey: string): string =>
  [
    `${emptyPractice(projectKey)} Nobody can be found in it.`,
    `  With invented customers:  ${seedDemo(projectKey)}`,
    '  With your own project:    frontdesk login production',
    '                            frontdesk desk -P production',
    '',
  ].join('\n')

/**
 * The ends of a session from outside. SIGINT is a step back at a plain question; while an answer of the service is
 * waited for, the first one says so, and the second ends the process. However the process ends, `onEnd` comes first.
 */
function endsOf(prompter: Prompter, onEnd: () => void) {
  const hangUp = (): void => process.exit(exitCodes.hungUp.code)
  let releaseInterrupts: () => void = () => undefined
  const takeInterrupts = (): void => {
    let isSecond = false
    releaseInterrupts = signalsGoTo((signal) => {
      if (signal !== 'SIGINT') return false
      if (prompter.interrupt?.()) return true
      if (isSecond) {
        onEnd()
        prompter.print('\nThe session has ended. Look before you repeat what was waited for.\n')
        process.exit(exitCodes.interrupted.code)
      }
      isSecond = true
      prompter.print('\nThe answer is still waited for. Ctrl-C again ends the session.\n')
      return true
    })
  }
  const release = (): void => {
    releaseInterrupts()
    process.off('SIGHUP', hangUp)
    process.off('exit', onEnd)
    onEnd()
  }
  process.once('SIGHUP', hangUp)
  process.once('exit', onEnd)
  takeInterrupts()
  return {takeInterrupts, release}
}

const flagsFor = (flags: Run['flags']): string[] =>
  handedOn.flatMap((name) => {
    const value = flags[name] ?? []
    if (typeof value === 'boolean') return value ? [`--${name}`] : []
    return [value].flat().flatMap((one) => [`--${name}`, one])
  })
