import { readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** The machine: cores, memory, system. */
export const hardware = (): string => {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${cpus().length} cores (${cpu?.model}), ${memory}, ${type()} ${release()}`
}

const ROOT = join(import.meta.dirname, '../../..')

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version

/** What both sides of a comparison run on. */
export const versions = (): string => {
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get()
  const libraries = ['fastify', 'better-sqlite3', 'sharp', 'autocannon', 'tinybench']
  return [
    `Node ${process.versions.node}`,
    `SQLite ${sqlite}`,
    ...libraries.map((name) => `${name} ${versionOf(name)}`),
  ].join(', ')
}
