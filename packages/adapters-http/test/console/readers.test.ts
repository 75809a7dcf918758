import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { newFeedItem, newLibraryItem } from '../support/samples.ts'

onBoth('M7, A3: the console shows who sees an item', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  for (const [contentType, id] of Object.entries(ids)) {
    const path = `/console/api/${contentType}/${id}/readers`
    const response = await fixture.call('GET', path, { headers })
    const { readers } = (await response.json()) as { readers: ReadonlyArray<{ reader: object }> }
    t.same(
      readers.map(({ reader }) => Object.values(reader).join(' ')),
      [
        ...['user en false', 'user fr false', 'user-donor en false', 'user-donor fr false'],
        ...['content-manager en true', 'content-manager fr false'],
      ],
      'a Draft',
    )
    await seeProblem(
      t,
      await fixture.call('GET', `/${contentType}/${id}/readers`, { as: 'manager' }),
      'not_found',
    )
    const unknown = await fixture.call('GET', `/console/api/${contentType}/unknown/readers`, { headers })
    await seeProblem(t, unknown, 'not_found')
  }
})
