import {readdirSync} from 'node:fs'

/** `npm run bench -- NAME`: runs `test/bench/NAME.ts`. Ratios within one run count; absolute numbers are this machine's. */

const folder = new URL('.', import.meta.url)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && !file.includes('-'))
  .map((file) => file.replace(/\.ts$/, ''))

const [name = '', ...words] = process.argv.slice(2)
if (names.includes(name)) {
  const {bench} = (await import(new URL(`${name}.ts`, folder).href)) as {
    bench: (words: readonly string[]) => Promise<void>
  }
  await bench(words)
} else {
  console.error(`Name one of: ${names.join(', ')}`)
  process.exitCode = 2
}
