// An upload as small as it can be: Fastify, @fastify/multipart, sharp with the service's own options, which decodes the image whole, turns
// it upright and encodes it anew, and a file that is on the disk before it is answered. It checks the token, and keeps no row.
// Started by tools/bench/load/servers.ts: node tools/bench/baseline/uploads.ts
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import sharp from 'sharp'
import { listen, told } from './process.ts'
import { checkTokens, type Grant } from './tokens.ts'

/** What the server is told. */
export interface UploadsOptions {
  readonly grants: ReadonlyArray<Grant>
  /** Where the images go. */
  readonly folder: string
}

const LARGEST = 10 * 2 ** 20
const LARGEST_SIDE = 4096

const { grants, folder } = await told<UploadsOptions>()
sharp.cache(false)
sharp.concurrency(1)

const flush = async (path: string, flags: string, bytes?: Buffer): Promise<void> => {
  const handle = await open(path, flags)
  try {
    if (bytes !== undefined) await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const app = Fastify()
checkTokens(app, grants)
await app.register(multipart, { limits: { fileSize: LARGEST, files: 1 } })
app.post('/library/:id/media/cover', async (request, reply) => {
  const file = await request.file()
  if (file === undefined) return reply.code(400).send({ error: 'no file' })
  const options = { autoOrient: true, failOn: 'warning', limitInputPixels: LARGEST_SIDE ** 2 } as const
  const image = sharp(await file.toBuffer(), options)
  const bytes = await image
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer()
  await flush(join(folder, `${randomBytes(32).toString('base64url')}.jpg`), 'wx', bytes)
  await flush(folder, 'r')
  return reply.send()
})
await listen(app)
