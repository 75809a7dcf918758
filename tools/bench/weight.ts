// What an installation of the server weighs: writes the heaviest of its dependencies into docs/performance.md: node tools/bench/weight.ts
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rewrite } from './report.ts'

const SERVER = join(import.meta.dirname, '../../apps/almoner')
const HEAVIEST = 10
const MEGABYTE = 2 ** 20

interface Weighed {
  readonly name: string
  readonly version: string
  readonly bytes: number
  /** The package of ours that asks for it, or for what asks for it. */
  readonly by: string
}

interface Manifest {
  readonly name: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Bytes of all files in a package's own folder. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sum + bytesIn(path)
    return sum + (entry.isFile() ? lstatSync(path).size : 0)
  }, 0)

/** Where a package finds another one; nowhere when that is optional and not for this machine. */
const folderOf = (from: string, name: string): string | undefined => {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  for (const place of places)
    try {
      return realpathSync(join(place, name))
    } catch {
      // In one of the other places.
    }
  return undefined
}

/** Every package that an installation for production has, ours left out, each once. */
const weigh = (): ReadonlyArray<Weighed> => {
  const found = new Map<string, Weighed | undefined>()
  const visit = (folder: string, by: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = folderOf(folder, name)
      if (place === undefined || found.has(place)) continue
      const isOurs = name.startsWith('@almoner/')
      const { version = '' } = manifestOf(place)
      found.set(place, isOurs ? undefined : { name, version, bytes: bytesIn(place), by })
      visit(place, isOurs ? name : by)
    }
  }
  visit(SERVER, manifestOf(SERVER).name)
  return [...found.values()].filter((weighed) => weighed !== undefined)
}

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`

/** The heaviest dependencies of an installation for production, as Markdown. */
export const weightTable = (count: number): string => {
  const all = [...weigh()].sort((a, b) => b.bytes - a.bytes)
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = all
    .slice(0, count)
    .map(
      ({ name, version, bytes, by }, at) =>
        `| ${at + 1} | \`${name}\` ${version} | ${megabytes(bytes)} | \`${by}\` |`,
    )
  return `An installation of the server, on ${process.platform} ${process.arch}, has ${all.length} packages of others, ${megabytes(total)} in all. The heaviest:

| | package | weighs | asked for by |
| --- | --- | --- | --- |
${rows.join('\n')}`
}

if (import.meta.main) await rewrite('weight', weightTable(HEAVIEST))
