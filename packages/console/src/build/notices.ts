import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Matches the folder of the package that a module comes from: the last one below `node_modules`. */
const PACKAGE = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//

const LICENCE = /^(?:licen[cs]e|copying|notice)/i

const textOf = (folder: string): string =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim())
    .join('\n\n')

const nameOf = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})`
}

/**
 * Returns the licences of the packages that modules come from. Packages with the same text share it.
 *
 * @param what what contains them, at the beginning of a sentence
 * @param modules the paths of the bundled modules
 */
export const noticesOf = (what: string, modules: ReadonlyArray<string>): string => {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[1] ?? []))
  const groups = Map.groupBy(folders, textOf)
  const notices = [...groups].map(
    ([text, members]) => `${[...new Set(members.map(nameOf))].sort().join('\n')}\n\n${text}\n`,
  )
  return [`${what} contains these packages.\n`, ...notices.sort()].join(`\n${'-'.repeat(78)}\n\n`)
}
