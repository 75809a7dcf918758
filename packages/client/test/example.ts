import { ApiError, createClient, toUpdate } from '@almoner/client'

const api = createClient({
  baseUrl: process.env['API_URL'] ?? 'http://127.0.0.1:3000',
  credentials: {
    clientId: process.env['CLIENT_ID'] ?? '',
    clientSecret: process.env['CLIENT_SECRET'] ?? '',
  },
})

// All publications that the client may see, page by page.
for await (const { itemTitle, status } of api.walk('/library/')) console.log(status, itemTitle)

// A post to the feed. It is a Draft.
const { data, etag } = await api.post('/feed/', {
  body: {
    itemType: 'link',
    itemTitle: 'A new well',
    itemDescription: 'Clean water since Monday.',
    link: 'https://example.org/',
  },
})
const { item } = data

// Publish it, unless another client has edited it meanwhile.
try {
  await api.post('/feed/{itemId}', {
    path: { itemId: item.itemId },
    body: toUpdate(item, { status: 'Live' }),
    ifMatch: etag,
  })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.code, error.errors)
}
