// Uploads of covers as an expert would write them by hand, for sql.ts: `@fastify/multipart`, sharp with the service's own quality, a durable file, and
// the rows of the image, its use, the item, its history and its change for copies.
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import type Database from 'better-sqlite3'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sharp from 'sharp'

sharp.cache(false)
sharp.concurrency(1)

const MOST_BYTES = 10 * 1024 * 1024
const QUALITY = { quality: 90, chromaSubsampling: '4:4:4' }

interface Stored {
  readonly name: string
  readonly bytes: number
  readonly width: number
  readonly height: number
}

/** Flushes a file or folder. */
const flush = async (path: string, bytes?: Buffer): Promise<void> => {
  const handle = await open(path, bytes === undefined ? 'r' : 'wx')
  if (bytes !== undefined) await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
}

/** Decodes an image whole, and writes it without its metadata, so that it is there whole or not at all. */
const keep = async (folder: string, sent: Buffer): Promise<Stored> => {
  const image = sharp(sent, { autoOrient: true, failOn: 'warning' }).jpeg(QUALITY)
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const name = `${randomUUID()}.jpg`
  const temporary = join(folder, `.tmp-${name}`)
  await flush(temporary, data)
  await rename(temporary, join(folder, name))
  await flush(folder)
  return { name, bytes: data.length, width: info.width, height: info.height }
}

const prepare = (db: Database.Database) => ({
  one: db.prepare<[id: string], { readonly revision: number; readonly cover_name: string | null }>(
    'select * from library_item where id = ?',
  ),
  setCover: db.prepare<[name: string, at: number, id: string]>(
    'update library_item set cover_name = ?, cover_url = null, updated_at = ?, revision = revision + 1 where id = ?',
  ),
  addImage: db.prepare<Stored>(
    "insert into media (name, type, bytes, width, height) values (@name, 'image/jpeg', @bytes, @width, @height)",
  ),
  addUse: db.prepare<[id: string, name: string]>(
    "insert into media_reference (content_type, item_id, name) values ('library', ?, ?)",
  ),
  dropUse: db.prepare<[id: string, name: string]>(
    "delete from media_reference where content_type = 'library' and item_id = ? and name = ?",
  ),
  dropImage: db.prepare<[name: string]>(
    `delete from media where name = ? and not exists (select 1 from media_reference where name = media.name)
     and not exists (select 1 from media_hold where name = media.name)`,
  ),
  supersede: db.prepare<[id: string]>(
    `update audit_record set is_latest = 0
     where subject_id = ? and number is not null and subject_kind = 'library' and is_latest = 1`,
  ),
  addHistory: db.prepare<
    [at: number, client: string, id: string, number: number, changes: string, state: string]
  >(
    `insert into audit_record (at, actor_kind, actor_id, action, subject_kind, subject_id, number, is_latest, changes, state)
     values (?, 'client', ?, 'upload-image', 'library', ?, ?, 1, ?, ?)`,
  ),
  change: db.prepare<[id: string]>(
    `insert into content_change (position, kind, id, aspect, rank)
     values ((select coalesce(max(position), 0) + 1 from content_change), 'library', ?, 'own', 0)
     on conflict (kind, id, aspect) do update set position = excluded.position`,
  ),
})

/** What {@link addUploads} uses of its server. */
interface Parts {
  readonly db: Database.Database
  /** Of the images. */
  readonly folder: string
  /** Runs a write with others, and responds once it is durable. */
  readonly add: (store: () => void, respond: () => void) => void
  readonly isManager: (request: FastifyRequest) => boolean
}

/** Adds the route of covers. */
export const addUploads = async (
  items: FastifyInstance,
  { db, folder, add, isManager }: Parts,
): Promise<void> => {
  const statements = prepare(db)

  /** Stores an image as the cover of an item. Returns the name of the image that nothing shows any more. */
  const setCover = (id: string, stored: Stored, client: string): string | undefined => {
    const [before, at] = [statements.one.get(id), Date.now()]
    if (before === undefined) return stored.name
    statements.addImage.run(stored)
    statements.setCover.run(stored.name, at, id)
    statements.addUse.run(id, stored.name)
    const changes = JSON.stringify([{ field: 'coverImg', from: before.cover_name, to: stored.name }])
    const state = JSON.stringify({ ...before, cover_name: stored.name, cover_url: null, updated_at: at })
    statements.supersede.run(id)
    statements.addHistory.run(at, client, id, before.revision + 1, changes, state)
    statements.change.run(id)
    if (before.cover_name === null) return undefined
    statements.dropUse.run(id, before.cover_name)
    return statements.dropImage.run(before.cover_name).changes === 1 ? before.cover_name : undefined
  }

  await items.register(multipart, { limits: { fileSize: MOST_BYTES } })
  items.post<{ Params: { readonly id: string } }>('/library/:id/media/cover', async (request, reply) => {
    if (!isManager(request)) return reply.code(403).send({ error: 'insufficient_scope' })
    const { id } = request.params
    if (statements.one.get(id) === undefined) return reply.code(404).send({ error: 'not_found' })
    const sent = await (await request.file())?.toBuffer()
    if (sent === undefined) return reply.code(400).send({ error: 'no file' })
    const stored = await keep(folder, sent)
    let orphan: string | undefined
    await new Promise<void>((resolve) =>
      add(() => {
        orphan = setCover(id, stored, request.grant?.client_id ?? '')
      }, resolve),
    )
    if (orphan !== undefined) await rm(join(folder, orphan), { force: true })
    return reply.send()
  })
}
