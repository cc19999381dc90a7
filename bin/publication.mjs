#!/usr/bin/env node
// npm runs it before it publishes. What only whoever publishes can know stands here, and is written from here to where it is
// read: the links of the package's page, and the address for faults of security.
import {readFileSync, writeFileSync} from 'node:fs'

/** Fill in the address of the repository, as in https://host/owner/name. */
const REPOSITORY = ''
/** Fill in who is told of a fault of security: an address for mail, or of a form. */
const SECURITY_CONTACT = ''

const placeholder = 'SECURITY_CONTACT_PLACEHOLDER'
const links = {
  repository: {type: 'git', url: `git+${REPOSITORY}.git`},
  homepage: `${REPOSITORY}#readme`,
  bugs: {url: `${REPOSITORY}/issues`},
}

/** @type {Record<string, (text: string) => string>} */
const filled = {
  'package.json': (text) => {
    const listed = JSON.parse(text)
    const isLinked = Object.entries(links).every(
      ([name, link]) => JSON.stringify(listed[name]) === JSON.stringify(link),
    )
    return isLinked ? text : `${JSON.stringify({...listed, ...links}, null, 2)}\n`
  },
  'SECURITY.md': (text) => text.replaceAll(placeholder, SECURITY_CONTACT),
}

const missing = [
  ...(URL.canParse(REPOSITORY) ? [] : ['REPOSITORY: the package would link nowhere']),
  ...(SECURITY_CONTACT === '' ? ['SECURITY_CONTACT: nobody would be told of a fault of security'] : []),
]
for (const what of missing) console.error(`Fill in bin/publication.mjs, ${what}.`)
if (missing.length > 0) process.exitCode = 1
else {
  for (const [name, fill] of Object.entries(filled)) {
    const file = new URL(`../${name}`, import.meta.url)
    const text = readFileSync(file, 'utf8')
    if (fill(text) === text) continue
    writeFileSync(file, fill(text))
    console.error(`${name} says it now. Commit it, and publish again.`)
    process.exitCode = 1
  }
}
