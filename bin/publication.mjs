#!/usr/bin/env node
// npm runs it before it publishes: the page of a package needs the address of its sources, which nobody has decided yet.
import {readFileSync, writeFileSync} from 'node:fs'

/** Fill in the address of the repository, as in https://host/owner/name. */
const REPOSITORY = ''

const file = new URL('../package.json', import.meta.url)
const listed = JSON.parse(readFileSync(file, 'utf8'))
const links = {
  repository: {type: 'git', url: `git+${REPOSITORY}.git`},
  homepage: `${REPOSITORY}#readme`,
  bugs: {url: `${REPOSITORY}/issues`},
}

if (!URL.canParse(REPOSITORY)) {
  console.error('Fill in REPOSITORY in bin/publication.mjs: the package would link nowhere.')
  process.exitCode = 1
} else if (Object.entries(links).some(([name, link]) => JSON.stringify(listed[name]) !== JSON.stringify(link))) {
  writeFileSync(file, `${JSON.stringify({...listed, ...links}, null, 2)}\n`)
  console.error('package.json has the links of the repository now. Commit it, and publish again.')
  process.exitCode = 1
}
