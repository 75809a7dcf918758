import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { LIBRARY_ITEM, newLibraryItem } from '../support/samples.ts'

interface History {
  readonly history: ReadonlyArray<{
    readonly revision: {
      readonly number: number
      readonly actor: { readonly kind: string; readonly id: string }
    }
  }>
}

onBoth(
  'K1, K2: a change in the console is recorded by the number of a manager, whose name is listed',
  async (t, fixture) => {
    const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    await signIn(fixture, 'operator')
    const itemId = await newLibraryItem(fixture)
    const path = `/console/api/library/${itemId}`
    const json = { ...LIBRARY_ITEM, status: 'Draft', itemTitle: 'Changed' }
    t.equal((await fixture.call('POST', path, { json, headers })).status, 200)
    const restored = await fixture.call('POST', `${path}/history/1/restore`, { headers })
    t.match(await restored.text(), LIBRARY_ITEM.itemTitle)
    const { history } = (await (await fixture.call('GET', `${path}/history`, { headers })).json()) as History
    const actors = history.map(({ revision }) => revision.actor)
    t.match(actors, [{ kind: 'person' }, { kind: 'person' }, { kind: 'client', id: 'manager' }])
    const people = await fixture.call('GET', '/console/api/people', { headers })
    const number = Number(actors[0]?.id)
    t.same(await people.json(), {
      people: [{ person: { number, name: 'editor' } }, { person: { number: number + 1, name: 'operator' } }],
    })
  },
)
