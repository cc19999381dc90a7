import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/**
 * The licences of the libraries that a bundle contains. Those with the same text stand together above it.
 * @param {string} root
 * @param {readonly string[]} inputs The files of the bundle, below the root.
 */
export function notices(root, inputs) {
  const packages = new Set(inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  /** @type {Map<string, string[]>} */
  const byText = new Map()
  for (const path of [...packages].sort()) {
    const {name, version, license} = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? readFileSync(join(root, path, file), 'utf8').trim() : ''
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}
