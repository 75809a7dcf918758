// Builds the server into the folder from which the package `almoner` is packed: before `pnpm pack` and `pnpm publish`.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.ts'

const FOLDER = join(import.meta.dirname, '../../../apps/almoner/server')

await build(join(FOLDER, 'dist'))
cpSync(join(import.meta.dirname, '../almoner.js'), join(FOLDER, 'almoner.js'))
