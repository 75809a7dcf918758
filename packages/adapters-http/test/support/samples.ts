import type { Scope } from '@almoner/domain'
import { API_ROUTES, type Route } from '../../src/index.ts'
import { WITH_BODY } from '../../src/route.ts'
import { done, type Fixture, type Send, type Who } from './fixture.ts'

export const LIBRARY_ITEM = {
  itemTitle: 'Wells of the north',
  itemDescription: 'What a year of drilling achieved.',
  link: 'https://example.org/wells',
  itemPublicationDate: '2026-04-30',
}

export const FEED_ITEM = {
  itemType: 'link',
  itemTitle: 'A well a week',
  itemDescription: 'The fifth well is open.',
  link: 'https://example.org/fifth',
}

export const NOTIFICATION = { lang: 'en', title: 'Our year in figures', resource_type: 'Library' }

const idIn = (answer: unknown): string => {
  const { items, item } = answer as {
    items?: ReadonlyArray<{ item: { itemId: string } }>
    item?: { itemId: string }
  }
  const id = items?.[0]?.item.itemId ?? item?.itemId
  if (id === undefined) throw new Error('expected an item', { cause: answer })
  return id
}

/** Creates a library item and gives its id. */
export const newLibraryItem = async (fixture: Fixture, with_: Readonly<Record<string, string>> = {}) =>
  idIn(
    await (
      await fixture.call('POST', '/library/', { as: 'manager', json: { ...LIBRARY_ITEM, ...with_ } })
    ).json(),
  )

/** Creates a feed item and gives its id. */
export const newFeedItem = async (fixture: Fixture, with_: Readonly<Record<string, string>> = {}) =>
  idIn(await (await fixture.call('POST', '/feed/', { as: 'donor', json: { ...FEED_ITEM, ...with_ } })).json())

/** Creates a notification and gives its id. */
export const newNotification = async (fixture: Fixture): Promise<string> => {
  const answer = await fixture.call('POST', '/notification', { as: 'manager', json: NOTIFICATION })
  return ((await answer.json()) as { notification: { id: string } }).notification.id
}

/** Makes a notification that is in the inbox of the donor of these tests, and returns its identifier (F7). */
export const newInboxEntry = async (fixture: Fixture): Promise<string> => {
  const path = '/user/unknown@example.org/notification/preference'
  await fixture.call('PUT', path, { as: 'donor', json: { lang: 'en' } })
  const json = { ...NOTIFICATION, lang: 'en', date: 1 }
  const answer = await fixture.call('POST', '/notification', { as: 'manager', json })
  await done(fixture.ports.deliveries.start(fixture.clock.now(), 1))
  return ((await answer.json()) as { notification: { id: string } }).notification.id
}

/** What fills in names for which a test gives no value. */
const FILLERS: Readonly<Record<string, string>> = {
  image: 'cover',
  contentType: 'library',
  number: '1',
  email: 'unknown@example.org',
}

/** The address of a route's path with its names filled in; `unknown` where a test and {@link FILLERS} have no value. */
export const filled = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:([A-Za-z]+)(?:\([^)]*\))?/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? FILLERS[name] ?? 'unknown'),
  )

/** Parameters with which a route has nothing to complain about, beyond those in its path. */
export const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createLibraryItem: LIBRARY_ITEM,
  updateLibraryItem: { ...LIBRARY_ITEM, status: 'Draft' },
  linkTranslation: { counterpartId: 'unknown' },
  createFeedItem: FEED_ITEM,
  updateFeedItem: { ...FEED_ITEM, status: 'Draft' },
  attachLibraryLabel: { labelId: 'water' },
  attachFeedLabel: { labelId: 'water' },
  attachToken: { device_token: 'fcm:a-token' },
  setPreference: { lang: 'fr', subscribed: 'false' },
  createNotification: NOTIFICATION,
  changeNotification: { title: 'Changed', date: '' },
  listOrganizationSectorsById: { id: 'acme' },
  listIntroductionsById: { id: 'acme' },
  listSummariesById: { id: 'acme' },
  listProgramsById: { id: 'acme' },
  listChallengesById: { id: 'acme' },
  listDatasetsById: { id: 'acme' },
}

/** As {@link PARAMETERS}, for a service with this French library item. */
export const parametersFor = (
  { operation }: Pick<Route, 'operation'>,
  counterpartId: string,
): Readonly<Record<string, string>> =>
  operation === 'linkTranslation' ? { counterpartId } : (PARAMETERS[operation] ?? {})

/** The parameters of a route, sent where its method has them. */
export const sendingOwn = ({
  method,
  operation,
}: Pick<Route, 'method' | 'operation'>): Pick<Send, 'json' | 'query'> => {
  const own = PARAMETERS[operation]
  if (own === undefined) return {}
  return WITH_BODY.has(method) ? { json: own } : { query: own }
}

/** The test client with the least scope that a route accepts. */
export const LEAST: Readonly<Record<Scope, Who>> = {
  user: 'user',
  'user-donor': 'donor',
  'content-manager': 'manager',
}

/** The least of the test clients that may call a route: for a person, one that is bound to a person. */
export const leastFor = ({ access: { scope, role }, path }: Pick<Route, 'access' | 'path'>): Who => {
  if (role !== undefined) return 'userManager'
  return scope === 'user' && path.startsWith('/user/') ? 'donor' : LEAST[scope]
}

/** A route by its name. */
export const routeNamed = (name: string): Route => {
  const found = API_ROUTES.find(({ operation }) => operation === name)
  if (found === undefined) throw new Error(`no route ${name}`)
  return found
}

/** One concrete path for each path of the API, with an item of either content type, or a notification, where one is named. */
export const concretePaths = (ids: {
  readonly library: string
  readonly feed: string
  readonly notification?: string
  readonly inbox?: string
}) =>
  API_ROUTES.map((route) => ({
    route,
    address: filled(route.path, {
      itemId: route.path.startsWith('/library') ? ids.library : ids.feed,
      labelId: 'water',
      ...(route.path.startsWith('/notification') && ids.notification !== undefined
        ? { id: ids.notification }
        : {}),
      ...(route.path.includes('/inbox/') && ids.inbox !== undefined ? { id: ids.inbox } : {}),
    }),
  }))
