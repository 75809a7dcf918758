import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg } from 'node:os'
import { hardware } from '../load/hardware.ts'

const versionOf = (name: string): string => {
  const require = createRequire(new URL('../../../packages/adapters-push/package.json', import.meta.url))
  const path = require.resolve.paths(name)?.map((folder) => `${folder}/${name}/package.json`) ?? []
  for (const file of path)
    try {
      return JSON.parse(readFileSync(file, 'utf8')).version
    } catch {
      // In one of the other folders.
    }
  return 'unknown'
}

/** What the figures were taken on, and what else it had to do: one line. */
export const machine = (): string => {
  const libraries = ['undici', '@parse/node-apn', 'web-push', 'piscina'].map(
    (name) => `${name} ${versionOf(name)}`,
  )
  return `${hardware()}, Node ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${libraries.join(', ')}; load ${loadavg()[0]?.toFixed(1)}`
}
