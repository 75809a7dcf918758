import sharp from 'sharp'
import { posting, withToken } from './reads.ts'
import type { Rig } from './rig.ts'
import type { Server } from './servers.ts'
import type { Ask } from './volley.ts'
import type { Workload } from './workload.ts'

const SQL = 'hand-written SQL server, a commit a write'
const ALONE = 'the service itself, a commit a write'
/** As many as the service takes at once; one more would be told to come again. */
const UPLOADING = 8

const FIELDS = {
  itemTitle: 'What came of it',
  itemDescription: 'What was given, to whom, and what came of it. '.repeat(8),
  link: 'https://www.example.org/library/what-came-of-it',
  itemPublicationDate: '2024-06-01',
}

/** A request that creates an item. */
export const creating = ({ ground }: Rig): Ask => posting('/library/', ground.grants.manager, FIELDS)

/** A request that updates a Live item, which stays Live. */
export const updating = ({ ground }: Rig, itemId: string, title = FIELDS.itemTitle): Ask =>
  posting(`/library/${itemId}`, ground.grants.manager, { ...FIELDS, itemTitle: title, status: 'Live' })

const BOUNDARY = 'almoner-bench'

/** A request that uploads a cover: a photograph's worth of noise over a gradient. */
export const uploading = async (rig: Rig): Promise<Ask> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const image = await sharp({
    create: { ...rig.ground.size.image, channels: 3, background: '#1F4E79', noise },
  })
    .jpeg({ quality: 80 })
    .toBuffer()
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="itemUploadMedia"; filename="cover.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
  const itemId = (await rig.itemIds()).at(-1)
  return {
    method: 'POST',
    path: withToken(`/library/${itemId}/media/cover`, rig.ground.grants.manager),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  }
}

const creatingBeside = (
  name: string,
  beside: string,
  counterpart: (rig: Rig) => Promise<Server>,
): Workload => ({
  name,
  title: 'create, 32 clients',
  beside,
  least: 4,
  sides: async (rig) => {
    const asks = [creating(rig)]
    return { ours: { server: await rig.written(), asks }, beside: { server: await counterpart(rig), asks } }
  },
})

/** Writes, uploads and token requests, each beside its counterpart. */
export const WRITE_WORKLOADS: ReadonlyArray<Workload> = [
  creatingBeside('create', SQL, (rig) => rig.sql()),
  creatingBeside('create-alone', ALONE, (rig) => rig.alone()),
  {
    name: 'update',
    title: 'update, 32 clients',
    beside: SQL,
    sides: async (rig) => {
      const asks = (await rig.itemIds()).map((id) => updating(rig, id))
      return { ours: { server: await rig.written(), asks }, beside: { server: await rig.sql(), asks } }
    },
  },
  {
    name: 'upload',
    title: `upload of a cover, ${UPLOADING} clients`,
    beside: 'bare Fastify, multipart and sharp',
    connections: UPLOADING,
    sides: async (rig) => {
      const asks = [await uploading(rig)]
      return { ours: { server: await rig.written(), asks }, beside: { server: await rig.uploads(), asks } }
    },
  },
  {
    name: 'token',
    title: 'token request',
    beside: 'bare Fastify, the same scrypt',
    sides: async (rig) => {
      const { clientId, secret } = rig.ground.client
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
      const ask: Ask = {
        method: 'POST',
        path: '/oauth2/get-token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(new URLSearchParams(form).toString()),
      }
      return {
        ours: { server: await rig.written(), asks: [ask] },
        beside: { server: await rig.grants(), asks: [ask] },
      }
    },
  },
]
