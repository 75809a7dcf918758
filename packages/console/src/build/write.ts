import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGE_FILES } from '../files.ts'
import { bundleConsole } from './bundle.ts'
import { noticesOf } from './notices.ts'

/** Builds the console into a folder, from which `readConsole` reads it. Replaces the folder. Returns the paths of the bundled modules. */
export const writeConsole = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { pages, files, modules } = await bundleConsole()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all([
    writeFile(join(folder, PAGE_FILES.app), pages.app),
    writeFile(join(folder, PAGE_FILES.signIn), pages.signIn),
    ...[...files].flatMap(([name, { bytes, brotli, gzip }]) => [
      writeFile(join(folder, name), bytes),
      writeFile(join(folder, `${name}.br`), brotli),
      writeFile(join(folder, `${name}.gz`), gzip),
    ]),
  ])
  return modules
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../..')
  const modules = await writeConsole(join(folder, 'assets'))
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES'), noticesOf('The console', modules))
}
