import fc from 'fast-check'
import { ENCODING_NAMES } from '../support/encodings.ts'
import type { Who } from '../support/fixture.ts'
import { type Cursor, type File, runRemove, runUpload } from './images.ts'
import { EMAILS, runInbox, runMarkSeen, runStart } from './inbox.ts'
import { createItem, type Match, runCreate, runGet, runUpdate, updateItem } from './items.ts'
import { runAttach, runDetach, runLabels } from './labels.ts'
import { runList } from './lists.ts'
import {
  type Asker,
  type ContentType,
  type Lang,
  type Model,
  type ModelItem,
  type ModelNotification,
  obtain,
  type Real,
} from './model.ts'
import {
  runChangeNotification,
  runDeleteNotification,
  runDelivery,
  runGetNotification,
  runNotifications,
  runNotify,
  runReview,
} from './notifications.ts'
import {
  runAttachDevice,
  runDetachDevice,
  runGetPreference,
  runListDevices,
  runSetPreference,
} from './people.ts'
import { runConfirm, runCounterparts, runLink, runUnlink } from './translations.ts'

/** A command, and its prediction by the model. */
export type Command = fc.AsyncCommand<Model, Real>

const command = (name: string, about: unknown, run: (m: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => `${name}(${JSON.stringify(about)})`,
})

const WHO: ReadonlyArray<Who> = ['user', 'donor', 'manager', 'admin', 'userManager']
const contentType = fc.constantFrom<ContentType>('library', 'feed')
const anybody = fc.constantFrom<Asker>(...WHO, 'nobody')
/** Mostly a caller who may write. */
const writer = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Asker>('manager', 'admin') },
  { weight: 1, arbitrary: anybody },
)
const encoding = fc.constantFrom(...ENCODING_NAMES)
/** Selects an existing object; the smallest number selects one that does not exist. */
const which = fc.integer({ min: 0, max: 60 })
const place = fc.constantFrom<Cursor>('cover', 'notification')

const itemAt = (m: Model, on: ContentType, at: number): ModelItem | undefined => {
  const items = m.items.filter((item) => item.contentType === on)
  return at === 0 ? undefined : items[at % Math.max(1, items.length)]
}

const notificationAt = ({ notifications }: Model, at: number) =>
  at === 0 ? undefined : notifications[at % Math.max(1, notifications.length)]

const creating = contentType.chain((on) =>
  fc
    .tuple(
      createItem(on),
      fc.oneof({ weight: 3, arbitrary: writer }, { weight: 1, arbitrary: anybody }),
      encoding,
    )
    .map(([samples, asker, how]) =>
      command('create', [on, samples, asker, how], (m, real) =>
        runCreate(m, real, on, samples, { asker, encoding: how }),
      ),
    ),
)

const updating = contentType.chain((on) =>
  fc
    .tuple(
      updateItem(on),
      which,
      fc.constantFrom<Match>('none', 'none', 'now', 'before', 'other', 'any'),
      writer,
      encoding,
    )
    .map(([samples, at, match, asker, how]) =>
      command('update', [on, samples, at, match, asker, how], (m, real) =>
        runUpdate(m, real, on, itemAt(m, on, at), samples, match, { asker, encoding: how }),
      ),
    ),
)

const fetching = fc
  .tuple(contentType, which, anybody)
  .map(([on, at, asker]) =>
    command('get', [on, at, asker], (m, real) => runGet(m, real, on, itemAt(m, on, at), asker)),
  )

const asked = fc.record({
  lim: fc.constantFrom(undefined, '1', '2', '3', '007', '2147483647', '0', 'x'),
  offset: fc.constantFrom(undefined, undefined, '0', '1', '4', '-1', 'x'),
  lang: fc.constantFrom(undefined, undefined, undefined, 'en', 'FR', 'de'),
  itemType: fc.constantFrom(undefined, undefined, undefined, 'photo', 'link', 'vlink', 'video'),
})

const listing = fc
  .tuple(contentType, anybody, asked)
  .map(([on, asker, what]) =>
    command('list', [on, asker, what], (m, real) => runList(m, real, on, asker, what)),
  )

const uploading = fc
  .tuple(
    contentType,
    which,
    place,
    fc.constantFrom<File>('right', 'right', 'right', 'small', 'none'),
    fc.oneof(writer, anybody),
  )
  .map(([on, at, where, file, asker]) =>
    command('upload', [on, at, where, file, asker], (m, real) =>
      runUpload(m, real, on, itemAt(m, on, at), { place: where, file }, asker),
    ),
  )

const removing = fc
  .tuple(contentType, which, place, writer)
  .map(([on, at, where, asker]) =>
    command('remove', [on, at, where, asker], (m, real) =>
      runRemove(m, real, on, itemAt(m, on, at), where, asker),
    ),
  )

const labelId = fc.constantFrom('water', 'health', 'water', 'health', 'unknown')

const labelling = fc.oneof(
  fc
    .tuple(contentType, which, fc.option(labelId, { nil: undefined, freq: 9 }), writer)
    .map(([on, at, label, asker]) =>
      command('attach', [on, at, label, asker], (m, real) =>
        runAttach(m, real, on, itemAt(m, on, at), label, asker),
      ),
    ),
  fc
    .tuple(contentType, which, labelId, writer)
    .map(([on, at, label, asker]) =>
      command('detach', [on, at, label, asker], (m, real) =>
        runDetach(m, real, on, itemAt(m, on, at), label, asker),
      ),
    ),
  fc
    .tuple(contentType, fc.option(which), fc.option(labelId, { nil: undefined }), anybody)
    .map(([on, at, label, asker]) =>
      command('labels', [on, at, label, asker], (m, real) =>
        runLabels(m, real, on, at === null ? 'all' : { item: itemAt(m, on, at) }, label, asker),
      ),
    ),
)

const translating = fc.oneof(
  fc
    .tuple(which, which, writer)
    .map(([at, other, asker]) =>
      command('link', [at, other, asker], (m, real) =>
        runLink(m, real, itemAt(m, 'library', at), itemAt(m, 'library', other), asker),
      ),
    ),
  fc
    .tuple(which, writer)
    .map(([at, asker]) =>
      command('unlink', [at, asker], (m, real) => runUnlink(m, real, itemAt(m, 'library', at), asker)),
    ),
  fc
    .tuple(which, fc.constantFrom('true', 'true', 'true', 'false', ''), writer)
    .map(([at, upToDate, asker]) =>
      command('confirm', [at, upToDate, asker], (m, real) =>
        runConfirm(m, real, itemAt(m, 'library', at), upToDate, asker),
      ),
    ),
  anybody.map((asker) => command('counterparts', [asker], (m, real) => runCounterparts(m, real, asker))),
)

const email = fc.constantFrom(...EMAILS, 'no address')
const person = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Asker>('donor', 'userManager') },
  { weight: 1, arbitrary: anybody },
)
const token = fc.constantFrom('fcm:one', 'fcm:two', 'apns:a b/c?d%', 'fcm:tökén', 'odd')

const onPerson = (name: string, run: (m: Model, real: Real, asker: Asker, email: string) => Promise<void>) =>
  fc
    .tuple(person, email)
    .map(([asker, mail]) => command(name, [asker, mail], (m, real) => run(m, real, asker, mail)))

const people = fc.oneof(
  fc
    .tuple(
      person,
      email,
      fc.oneof(
        { weight: 8, arbitrary: token },
        { weight: 1, arbitrary: fc.constantFrom(undefined, '', '.', 'x'.repeat(4097)) },
      ),
    )
    .map(([asker, mail, one]) =>
      command('attach device', [asker, mail, one], (m, real) => runAttachDevice(m, real, asker, mail, one)),
    ),
  fc
    .tuple(person, email, token)
    .map(([asker, mail, one]) =>
      command('detach device', [asker, mail, one], (m, real) => runDetachDevice(m, real, asker, mail, one)),
    ),
  onPerson('devices', runListDevices),
  fc
    .tuple(
      person,
      email,
      fc.record({
        lang: fc.constantFrom(undefined, 'en', 'FR', '', 'de'),
        subscribed: fc.constantFrom(undefined, 'true', 'false', '', 'maybe'),
        topics: fc.constantFrom(undefined, undefined, '', 'water', 'health,water,health', 'water,unknown'),
      }),
    )
    .map(([asker, mail, sent]) =>
      command('set preference', [asker, mail, sent], (m, real) =>
        runSetPreference(m, real, asker, mail, sent),
      ),
    ),
  onPerson('preference', runGetPreference),
  onPerson('inbox', runInbox),
  fc
    .tuple(person, email, which)
    .map(([asker, mail, at]) =>
      command('mark seen', [asker, mail, at], (m, real) =>
        runMarkSeen(m, real, asker, mail, notificationAt(m, at)),
      ),
    ),
)

const sent = fc.record({
  lang: fc.constantFrom('en', 'en', 'FR', 'en', 'de', undefined),
  title: fc.constantFrom('News', 'News', 'E\u0301cole', 'News', ' ', undefined),
  resource_type: fc.constantFrom('Library', 'Library', 'Library', 'Library', 'Feed', undefined),
  date: fc.constantFrom(undefined, -60, 0, 60, 90_000, '-1', '1.5', '99999999999999'),
})

const change = fc.record({
  lang: fc.constantFrom(undefined, undefined, 'FR', 'en', '', 'de'),
  title: fc.constantFrom(undefined, 'Other', 'E\u0301cole', ' ', ''),
  date: fc.constantFrom(undefined, undefined, -60, 60, 90_000, '', '-1'),
})

const onNotification = (
  name: string,
  run: (m: Model, real: Real, asker: Asker, one: ModelNotification | undefined) => Promise<void>,
) =>
  fc
    .tuple(writer, which)
    .map(([asker, at]) => command(name, [asker, at], (m, real) => run(m, real, asker, notificationAt(m, at))))

const notifying = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(writer, sent, fc.option(which))
      .map(([asker, what, at]) =>
        command('notify', [asker, what, at], (m, real) =>
          runNotify(
            m,
            real,
            asker,
            what,
            at === null ? undefined : (itemAt(m, at % 7 === 1 ? 'feed' : 'library', at) ?? 'unknown'),
          ),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(writer, asked)
      .map(([asker, { itemType: _, ...what }]) =>
        command('notifications', [asker, what], (m, real) => runNotifications(m, real, asker, what)),
      ),
  },
  { weight: 1, arbitrary: onNotification('notification', runGetNotification) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(writer, which, change)
      .map(([asker, at, what]) =>
        command('change notification', [asker, at, what], (m, real) =>
          runChangeNotification(m, real, asker, notificationAt(m, at), what),
        ),
      ),
  },
  { weight: 1, arbitrary: onNotification('delete notification', runDeleteNotification) },
  { weight: 2, arbitrary: onNotification('delivery', runDelivery) },
  { weight: 2, arbitrary: fc.constant(command('review', [], runReview)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...EMAILS), fc.constantFrom<Lang>('en', 'fr'), fc.boolean())
      .map((start) => command('start', start, (m, real) => runStart(m, real, ...start))),
  },
)

/** Revokes and renews tokens, and advances the clock, also past the life of tokens. */
const passing = fc.oneof(
  fc.constantFrom(...WHO).map((who) => command('obtain', [who], (m, real) => obtain(m, real, who))),
  fc.constantFrom(...WHO).map((who) =>
    command('revoke', [who], async (m, { fixture, tokens }) => {
      const held = tokens.get(who)
      if (held === undefined) return
      const form = { client_id: who, client_secret: fixture.secrets[who] ?? '', token: held }
      const answer = await fixture.call('POST', '/oauth2/revoke', { form })
      if (answer.status !== 200) throw new Error(`revoking: ${answer.status}`)
      m.tokens.set(who, 0)
    }),
  ),
  fc.tuple(fc.constantFrom(1, 61, 600, 3_540, 3_601, 86_400), fc.boolean()).map(([seconds, renew]) =>
    command('wait', [seconds, renew], async (m, real) => {
      m.now += seconds * 1000
      real.fixture.clock.advance(seconds * 1000)
      if (renew) for (const who of real.tokens.keys()) await obtain(m, real, who)
    }),
  ),
)

/** All commands. */
export const COMMANDS: ReadonlyArray<fc.Arbitrary<Command>> = [
  creating,
  creating,
  updating,
  updating,
  updating,
  fetching,
  listing,
  uploading,
  removing,
  labelling,
  translating,
  people,
  notifying,
  passing,
]
