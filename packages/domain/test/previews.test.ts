import {
  done,
  failure,
  openByLink,
  sampleDigest,
  sampleManager,
  sampleSession,
} from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { faultsIn, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  callerWith,
  feedDraft,
  IMAGE,
  LIBRARY,
  libraryDraft,
  libraryLive,
  libraryUpdate,
  manager,
  newFixture,
  user,
} from './fixtures/fixture.ts'

const TEMPLATE = 'https://app.example.org/preview/{kind}/{id}#token={token}' as domain.PreviewUrl
const MINUTE = 60_000

const ada = sampleManager('ada')

/** A fixture with a signed-in manager. */
const start = async (previewUrl: domain.Policy['previewUrl'] = O.some(TEMPLATE)) => {
  const fixture = newFixture()
  const { ports, clock } = fixture
  await done(ports.managers.add(ada))
  const session = { ...sampleSession(1, ada), openedAt: clock.now(), lastSeenAt: clock.now() }
  const ends = domain.addMillis(clock.now(), 600 * MINUTE)
  await openByLink(fixture.ports, { ...session, idleEndsAt: ends, endsAt: ends })
  const editor = { ...callerWith(['content-manager'], [], ada.email), session: session.digest }
  const { console: desk, managers } = domain.createAlmoner(ports, { previewUrl })
  const make = (itemId: string, text: string, kind: 'Library' | 'Feed' = 'Library') =>
    desk[`preview${kind}Item`](editor, read(domain.MakePreview, { itemId, text }))
  const tokenFor = async (...given: Parameters<typeof make>): Promise<string> =>
    new URL((await done(make(...given))).url).hash.slice('#token='.length)
  const show = (token: string, itemId: string, contentType: domain.ContentType = 'library') =>
    desk.readPreview(token, { contentType, itemId: itemId as domain.ItemId })
  const type = (itemId: string, fields: object, contentType = 'library') =>
    desk.putCopy(editor, read(domain.PutCopy, { key: itemId, contentType, fields: JSON.stringify(fields) }))
  return { fixture, ports, clock, desk, managers, editor, make, tokenFor, show, type }
}

t.test(
  'A11: the template is an https URL with the token in its fragment, or of an app’s own scheme',
  async (t) => {
    const faults = (text: string): string => faultsIn(domain.PreviewUrl, text)[0]?.message ?? ''
    for (const good of [
      TEMPLATE,
      'https://app.example.org/#/{kind}/{id}/{token}',
      'https://app.example.org:8443?kind={kind}#{id}.{token}',
      'org.example.app://{kind}/{id}?token={token}',
      'exampleapp:/{kind}/{id}/{token}',
    ])
      t.equal(faults(good), '', good)
    const rejected: ReadonlyArray<readonly [text: string, fault: RegExp]> = [
      ['https://app.example.org/{kind}/{id}?token={token}', /after #/],
      ['https://app.example.org/{kind}/{token}#{id}', /after #/],
      ['https://{kind}.example.org/{id}#{token}', /whole host/],
      ['https://app.example.org{kind}/{id}#{token}', /whole host|must be a URL/],
      ['https://ada:secret@app.example.org/{kind}/{id}#{token}', /user name/],
      ['https://app.example.org/{kind}/{id}#{token}{token}', /each once/],
      ['https://app.example.org/{kind}#{token}', /each once/],
      ['https://app.example.org/{kind}/{id}/{lang}#{token}', /each once/],
      ['https://app.example.org/{kind}/{id}#{token}}', /no other braces/],
      ['https://app.example.org/{kind}/{id}# {token}', /must be an https URL/],
      ['app.example.org/{kind}/{id}#{token}', /must be an https URL/],
      [`https://app.example.org/{kind}/{id}#{token}${'x'.repeat(2048)}`, /must be an https URL/],
      ...['http', 'javascript', 'JavaScript', 'data', 'file', 'blob', 'mailto'].map(
        (scheme) => [`${scheme}://{kind}/{id}#{token}`, /must be an https URL/] as const,
      ),
    ]
    for (const [text, fault] of rejected) t.match(faults(text), fault, text)
  },
)

t.test(
  'A11: the places of a template are filled as they are, also with characters that replacing knows',
  async (t) => {
    const places = { kind: 'feed', id: "$&$'", token: '{id}' }
    t.equal(domain.previewAddress(TEMPLATE, places), "https://app.example.org/preview/feed/$&$'#token={id}")
  },
)

t.test('A11: a token shows one item as it would look when Live, and ends after 15 minutes', async (t) => {
  const { fixture, clock, make, show } = await start()
  const draft = await libraryDraft(fixture, { itemTitle: 'Wells' })
  const { url, expiresAt } = await done(make(draft.id, 'item'))
  t.equal(expiresAt, clock.now() + 15 * MINUTE)
  const [address = '', token = ''] = url.split('#token=')
  t.equal(address, `https://app.example.org/preview/library/${draft.id}`)
  t.ok(domain.isPreviewToken(token))
  t.same(await done(show(token, draft.id)), O.some({ ...draft, status: 'Live' }))
  const other = await libraryDraft(fixture)
  t.equal(await failure(show(token, other.id)), 'NoPreview')
  t.equal(await failure(show(token, draft.id, 'feed')), 'NoPreview')
  t.equal(await failure(show('preview.wrong', draft.id)), 'NoPreview')
  clock.advance(15 * MINUTE - 1)
  t.ok(O.isSome(await done(show(token, draft.id))))
  clock.advance(1)
  t.equal(await failure(show(token, draft.id)), 'NoPreview')
})

t.test(
  'A11: a token of a working copy shows what its manager has typed, for as long as there is a copy',
  async (t) => {
    const { fixture, desk, editor, make, show, tokenFor, type } = await start()
    const draft = await libraryDraft(fixture, { itemTitle: 'Wells' })
    t.equal(await failure(make(draft.id, 'copy')), 'CopyNotFound')
    await done(type(draft.id, { itemTitle: 'Wells of the north' }))
    const token = await tokenFor(draft.id, 'copy')
    const title = async () => O.toUndefined(await done(show(token, draft.id)))?.title
    t.equal(await title(), 'Wells of the north')
    await done(type(draft.id, { itemTitle: 'Wells of the south' }))
    t.equal(await title(), 'Wells of the south', 'the copy as it is now')
    await done(type(draft.id, { itemTitle: 'W', link: 'javascript:alert(1)' }))
    t.equal(await title(), undefined, 'nothing that could not be saved')
    const bad = await make(draft.id, 'copy')()
    t.match(bad, E.left({ _tag: 'ValidationFailed', errors: [{ field: 'link' }] }))
    await done(desk.deleteCopy(editor, read(domain.OneCopy, { key: draft.id })))
    t.equal(await title(), undefined)
    const saved = await tokenFor(draft.id, 'item')
    await done(type(draft.id, { itemTitle: 'Again' }))
    t.equal(O.toUndefined(await done(show(saved, draft.id)))?.title, 'Wells', 'the one text it is for')
    await done(type(draft.id, {}, 'feed'))
    t.equal(await failure(make(draft.id, 'copy')), 'CopyNotFound', 'a copy of another type')
  },
)

t.test(
  'A11, C16: a token of a proposal shows what it would publish, for as long as it is open',
  async (t) => {
    const { fixture, ports, clock, editor, make, show, tokenFor } = await start()
    const { proposals } = domain.createAlmoner(ports)
    const live = await libraryLive(fixture)
    t.equal(await failure(make(live.id, 'proposal')), 'ProposalNotFound')
    const fieldsOf = (over: object) => JSON.stringify({ ...LIBRARY, ...over })
    const name = { contentType: 'library', itemId: live.id }
    const sent = read(domain.ProposeChange, { ...name, fields: fieldsOf({ itemTitle: 'Deep wells' }) })
    const first = await done(proposals.propose(editor, sent, O.none))
    const token = await tokenFor(live.id, 'proposal')
    const shown = async () => O.toUndefined(await done(show(token, live.id)))
    t.match(await shown(), { title: 'Deep wells', status: 'Live', images: live.images })
    const one = read(domain.OneProposal, { ...name, proposalId: first.id })
    const illustrated = await done(proposals.storeImage(manager, { ...one, image: 'cover' }, IMAGE, O.none))
    t.match(await shown(), { title: 'Deep wells', images: { cover: O.some({ kind: 'stored' }) } })
    const saved = await tokenFor(live.id, 'item')
    t.match(O.toUndefined(await done(show(saved, live.id))), { title: 'Wells' }, 'the one text it is for')
    const other = await libraryLive(fixture)
    t.equal(await failure(show(token, other.id)), 'NoPreview')
    const latest = read(domain.OneProposal, { ...name, proposalId: illustrated.id })
    await done(proposals.discard(manager, latest))
    t.equal(await shown(), undefined)
    await done(proposals.undo(manager, latest))
    t.match(await shown(), { title: 'Deep wells' })
    const archive = libraryUpdate(live.id, { status: 'Archived' })
    await done(fixture.act.updateLibraryItem(manager, archive, O.none))
    t.equal(await shown(), undefined, 'it cannot be published')
    t.equal(await failure(make(live.id, 'proposal')), 'IllegalTransition')
    clock.advance(15 * MINUTE)
    t.equal(await failure(show(token, live.id)), 'NoPreview')
  },
)

t.test('A11: what a colleague has changed since the copy began is shown as it is now', async (t) => {
  const { fixture, show, tokenFor, type } = await start()
  const draft = await libraryDraft(fixture, { itemTitle: 'Wells', itemDescription: 'Old' })
  const base = JSON.stringify({ itemTitle: 'Wells', itemDescription: 'Old' })
  await done(type(draft.id, { itemTitle: 'Mine', itemDescription: 'Old', base }))
  const update = libraryUpdate(draft.id, { itemTitle: 'Theirs', itemDescription: 'New', status: 'Draft' })
  await done(fixture.act.updateLibraryItem(manager, update, O.none))
  const shown = O.toUndefined(await done(show(await tokenFor(draft.id, 'copy'), draft.id)))
  t.match(shown, { title: 'Mine', description: 'New' })
})

/** The fields of an item as a form sends them. */
const allOf = (item: domain.LibraryItem | domain.FeedItem): Record<string, string> => {
  const all = 'content' in item ? domain.feedFields(item) : domain.libraryFields(item)
  const names = [
    'itemTitle',
    'itemDescription',
    'link',
    'vlink',
    'lang',
    'isDonorRestricted',
    'itemType',
    'itemPublicationDate',
  ]
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** Saves typed fields as a form does; none if they are not taken. */
const save = async (
  { act }: ReturnType<typeof newFixture>,
  item: domain.LibraryItem | domain.FeedItem,
  typed: object,
): Promise<O.Option<domain.ItemCore>> => {
  const sent = { ...allOf(item), ...typed, itemId: item.id, status: item.status }
  if ('content' in item) {
    const update = domain.UpdateFeedItem.decode(sent)
    return E.isLeft(update) ? O.none : O.fromEither(await act.updateFeedItem(manager, update.right, O.none)())
  }
  const update = domain.UpdateLibraryItem.decode(sent)
  return E.isLeft(update)
    ? O.none
    : O.fromEither(await act.updateLibraryItem(manager, update.right, O.none)())
}

t.test('A11, M7: a preview of a copy shows what saving the copy makes of the item', async (t) => {
  const { fixture, make, show, tokenFor, type } = await start()
  const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constant(' '), fc.constant('e\u0301'))
  const url = fc.constantFrom('', 'https://example.org/a', 'ftp://example.org', 'no url')
  const fields = fc.record(
    {
      itemTitle: text,
      itemDescription: text,
      link: url,
      lang: fc.constantFrom('en', 'fr', 'de'),
      isDonorRestricted: fc.constantFrom('0', '1'),
    },
    { requiredKeys: [] },
  )
  const library = fc.record(
    { itemPublicationDate: fc.constantFrom('2024-02-30', '2024-02-29', '') },
    { requiredKeys: [] },
  )
  const feed = fc.record(
    { itemType: fc.constantFrom('photo', 'link', 'vlink'), vlink: url },
    { requiredKeys: [] },
  )
  const kinds = { library: ['Library', library], feed: ['Feed', feed] } as const
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('library' as const, 'feed' as const),
      fields,
      library,
      feed,
      async (contentType, common, ofLibrary, ofFeed) => {
        const isLibrary = contentType === 'library'
        const typed = { ...common, ...(isLibrary ? ofLibrary : ofFeed) }
        const item = isLibrary ? await libraryDraft(fixture) : await feedDraft(fixture)
        await done(type(item.id, typed, contentType))
        const made = await make(item.id, 'copy', kinds[contentType][0])()
        const shown = E.isRight(made)
          ? await done(show(await tokenFor(item.id, 'copy', kinds[contentType][0]), item.id, contentType))
          : O.none
        const saved = await save(fixture, item, typed)
        t.equal(E.isRight(made), O.isSome(saved), JSON.stringify(typed))
        t.same(shown, O.map((one: object) => ({ ...one, status: 'Live' }))(saved))
      },
    ),
    { numRuns: 150 },
  )
})

t.test('A9, A11: a preview ends with the session, the duty and the access of its manager', async (t) => {
  const ends: Readonly<Record<string, (given: Awaited<ReturnType<typeof start>>) => Promise<unknown>>> = {
    'sign-out': ({ ports }) => done(ports.sessions.end(sampleDigest(1))),
    'another duty': ({ ports }) => done(ports.managers.change(ada.email, { duty: 'operator' })),
    disabling: ({ ports }) => done(ports.managers.change(ada.email, { disabled: true })),
    erasure: ({ ports, clock }) => done(ports.personalData.erase(ada.email, clock.now())),
    'the end of the session': async ({ clock }) => clock.advance(600 * MINUTE),
  }
  for (const [name, end] of Object.entries(ends)) {
    const given = await start()
    const draft = await libraryDraft(given.fixture)
    const token = await given.tokenFor(draft.id, 'item')
    await end(given)
    t.equal(await failure(given.show(token, draft.id)), 'NoPreview', name)
  }
})

t.test('A9, A11: a preview that takes long to read looks for its session once more', async (t) => {
  let onFind: () => Promise<unknown> = async () => {}
  const given = await start()
  const { fixture, ports, clock, tokenFor } = given
  const draft = await libraryDraft(fixture)
  const token = await tokenFor(draft.id, 'item')
  const slow = domain.createAlmoner({
    ...ports,
    libraryItems: {
      ...ports.libraryItems,
      find: (id) => async () => {
        await onFind()
        return ports.libraryItems.find(id)()
      },
    },
  })
  const show = () => slow.console.readPreview(token, { contentType: 'library', itemId: draft.id })
  onFind = async () => clock.advance(2001)
  t.ok(O.isSome(await done(show())))
  onFind = async () => {
    clock.advance(2001)
    await done(ports.sessions.end(sampleDigest(1)))
  }
  t.equal(await failure(show()), 'NoPreview')
})

t.test('A11: previews need a manager with a session, an item, and an app', async (t) => {
  const { fixture, desk, editor, make } = await start()
  const draft = await libraryDraft(fixture)
  const given = read(domain.MakePreview, { itemId: draft.id })
  t.equal(await failure(desk.previewLibraryItem(user, given)), 'InsufficientScope')
  t.equal(await failure(desk.previewLibraryItem(manager, given)), 'NoSession')
  t.equal(await failure(make('unknown', 'item')), 'ItemNotFound')
  t.equal(await failure(make(draft.id, 'item', 'Feed')), 'ItemNotFound')
  t.ok(E.isRight(await desk.previewLibraryItem(editor, given)()))
  const without = await start(O.none)
  t.equal(await failure(without.make(draft.id, 'item')), 'NoPreviewUrl')
})

t.test('A11: what a token is for stays hidden while the item or the copy is gone', async (t) => {
  const { fixture, ports, show, tokenFor } = await start()
  const draft = await libraryDraft(fixture)
  const token = await tokenFor(draft.id, 'item')
  await done(
    domain
      .createAlmoner(ports)
      .history.library.delete(manager, read(domain.DeleteDraft, { itemId: draft.id }), O.none),
  )
  t.same(await done(show(token, draft.id)), O.none)
})
