import t from 'tap'
import { FEED_ITEM, LIBRARY_ITEM } from '../../adapters-http/test/support/samples.ts'
import { JPEG, PNG } from '../../adapters-http/test/support/uploads.ts'
import { makeClient } from '../src/client.ts'
import { type LibraryItem, toUpdate } from '../src/index.ts'
import { startService } from './support/service.ts'

t.test('C6: an update of an item that was read before its upload keeps the image', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const created = await api.post('/library/', {
    body: { ...LIBRARY_ITEM, isDonorRestricted: '1', lang: 'fr' },
  })
  const { item } = created.data.items[0] as { item: LibraryItem }
  const path = { itemId: item.itemId }
  const cover = await api.upload('/library/{itemId}/media/{image}', {
    path: { ...path, image: 'cover' },
    file: JPEG,
  })
  const image = { path: { ...path, image: 'notification' }, file: JPEG } as const
  const { etag } = await api.upload('/library/{itemId}/media/{image}', image)

  const body = toUpdate(item, { itemTitle: 'Edited', status: 'Live' })
  const updated = await api.post('/library/{itemId}', { path, body, ifMatch: etag })
  const { itemTitle: _, status: __, updatedAt: ___, ...rest } = item
  t.match(updated.data.item, {
    ...rest,
    itemTitle: 'Edited',
    status: 'Live',
    coverImgUrl: cover.data,
    notificationImgUrl: /^https:/,
    itemRelatedLink: updated.data.item.itemRelatedLink,
  })
  const removed = toUpdate(updated.data.item, { status: 'Draft', coverImgUrl: '' })
  t.match((await api.post('/library/{itemId}', { path, body: removed })).data.item, {
    coverImgUrl: '',
    notificationImgUrl: /^https:/,
  })
})

t.test('C7: an update of a post repeats its type and links', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const sent = { ...FEED_ITEM, itemType: 'vlink', vlink: 'https://example.org/film' } as const
  const { item } = (await api.post('/feed/', { body: sent })).data
  const path = { itemId: item.itemId }
  await api.upload('/feed/{itemId}/media', { path, file: PNG })
  const { data } = await api.post('/feed/{itemId}', { path, body: toUpdate(item, { status: 'Live' }) })
  t.match(data.item, { ...sent, status: 'Live', itemRelatedLink: /static\/media/ })
})

t.test('C6: an item as it was received is no update, to the compiler', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const { item } = (await api.post('/feed/', { body: { ...FEED_ITEM, itemType: 'link' } })).data
  const path = { itemId: item.itemId }
  // @ts-expect-error: the item has `createdAt`
  const { data } = await api.post('/feed/{itemId}', { path, body: { ...item, status: 'Draft' } })
  t.equal(data.item.status, 'Draft')
  const copied = await api.post('/feed/', { body: item })
  t.not(copied.data.item.itemId, item.itemId, 'but it may be copied')
})

t.test('D1: an upload resolves with the URL and the ETag of the publication', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const created = await api.post('/library/', { body: LIBRARY_ITEM })
  const itemId = created.data.items[0]?.item.itemId ?? ''
  const cover = { path: { itemId, image: 'cover' }, file: JPEG } as const
  const { data, etag } = await api.upload('/library/{itemId}/media/{image}', cover)
  const read = await api.get('/library/{itemId}', { path: { itemId } })
  t.same([data, etag], [read.data.items[0]?.item.coverImgUrl, read.etag])
})

t.test('D1: an upload is no failure if the publication cannot be read afterwards', async (t) => {
  const service = await startService(t)
  const created = await service.as('manager').post('/library/', { body: LIBRARY_ITEM })
  const itemId = created.data.items[0]?.item.itemId ?? ''
  const credentials = service.credentialsOf('manager')
  const api = makeClient(
    {
      baseUrl: service.fixture.url,
      credentials,
      fetch: async (request) =>
        request.method === 'GET' ? new Response(null, { status: 500 }) : fetch(request),
    },
    service.time,
  )
  const path = { itemId, image: 'cover' } as const
  const uploaded = await api.upload('/library/{itemId}/media/{image}', { path, file: JPEG })
  t.same([uploaded.data, uploaded.etag], [undefined, undefined])
  const { data } = await service.as('manager').get('/library/{itemId}', { path: { itemId } })
  t.match(data.items[0]?.item.coverImgUrl, /static\/media/)
})
