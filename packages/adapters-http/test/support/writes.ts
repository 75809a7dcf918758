import type { Route } from '../../src/index.ts'
import type { Fixture } from './fixture.ts'
import { type Fields, SENT } from './items.ts'
import { filled, leastFor, PARAMETERS, sendingOwn } from './samples.ts'
import { fileForm, PNG } from './uploads.ts'

/** Writes that change something, in an order in which each can, and the actions that they are recorded as. */
export const WRITES: ReadonlyArray<readonly [route: string, action: string, own?: Fields]> = [
  ...(['Library', 'Feed'] as const).flatMap(
    (type): ReadonlyArray<readonly [string, string, Fields?]> => [
      [`create${type}Item`, 'create'],
      [
        `update${type}Item`,
        'update',
        { ...SENT[type === 'Library' ? 'library' : 'feed'], itemTitle: 'Other', status: 'Draft' },
      ],
      [`restore${type}Revision`, 'restore'],
      [`upload${type}Image`, 'upload-image'],
      [`remove${type}Image`, 'remove-image'],
      [`attach${type}Label`, 'attach-label'],
      [`detach${type}Label`, 'detach-label'],
    ],
  ),
  ['linkTranslation', 'link-translation'],
  ['unlinkTranslation', 'unlink-translation'],
  ['attachToken', 'attach-device'],
  ['setPreference', 'set-preference'],
  ['detachToken', 'detach-device'],
  ['createNotification', 'create-notification'],
  ['changeNotification', 'change-notification'],
  ['deleteNotification', 'delete-notification'],
  ['eraseUser', 'erase-user'],
]

/** What writes are made on, by identifiers. */
interface Subjects {
  readonly library: string
  readonly feed: string
  readonly notification: string
  /** A French library item. */
  readonly counterpart: string
}

/** Returns how a route is called with what it has nothing to complain about, by the least of the test clients. */
export const runnerOf =
  (fixture: Fixture, { counterpart: counterpartId, ...ids }: Subjects) =>
  async (route: Route, own: Fields | undefined) => {
    const itemId = route.path.startsWith('/library') ? ids.library : ids.feed
    const token = PARAMETERS['attachToken']?.['device_token'] ?? ''
    const names = { itemId, id: ids.notification, labelId: 'water', token, email: 'x' }
    const as = route.path.includes('media') ? 'manager' : leastFor(route)
    const email = as === 'userManager' ? 'amina@example.org' : 'x'
    const address = filled(route.path, { ...names, email })
    const upload = { multipart: fileForm({ bytes: PNG }) }
    const json = route.operation === 'linkTranslation' ? { counterpartId } : own
    const sent = route.upload === undefined ? { ...sendingOwn(route), ...(json && { json }) } : upload
    return { as, response: await fixture.call(route.method, address, { as, ...sent }) }
  }
