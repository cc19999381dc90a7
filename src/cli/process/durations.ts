import {usage} from './failure.js'

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** `30s`, `2m`, `500ms`, `1h`, `7d` in milliseconds. Throws usage for a number without a unit, which is ambiguous. */
export function durationMs(text: string, flag: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  const factor = units.get(match?.[2] ?? '')
  if (!match || factor === undefined) {
    throw usage(`'${text}' is not a duration for ${flag}.`, 'Write a number and a unit: 500ms, 30s, 2m, 1h, 7d.')
  }
  return Number(match[1]) * factor
}

/** A duration in whole minutes, rounded up, for lifetimes of tokens. */
export const durationMinutes = (text: string, flag: string): number => Math.ceil(durationMs(text, flag) / 60_000)
