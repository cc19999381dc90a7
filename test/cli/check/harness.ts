import {config} from '../run.js'

/** The words of a command's example, without the name of the program, as a shell would hand them over. */
export async function exampleOf(id: string, at = 0): Promise<string[]> {
  const command = (await config()).findCommand(id, {must: true})
  const example = String((command.examples as string[] | undefined)?.[at]).replace('<%= config.bin %> ', '')
  return [...example.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => {
    return double ?? single ?? bare ?? ''
  })
}
