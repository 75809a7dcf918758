// `@fastify/static` with a folder that holds one file. Measures what serving a file costs. Started by fixture.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { listen, received } from './process.ts'

/** The message that starts it. */
export interface FilesOptions {
  readonly folder: string
  readonly path: string
  readonly bytes: Buffer
  /** Those of each response, besides the ones of the file. */
  readonly headers: Readonly<Record<string, string>>
}

const { folder, path, bytes, headers } = await received<FilesOptions>()
const file = join(folder, path)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, bytes)
const app = Fastify()
await app.register(fastifyStatic, {
  root: folder,
  cacheControl: false,
  setHeaders: (reply) => {
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  },
})
await listen(app)
