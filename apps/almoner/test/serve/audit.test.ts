import { join } from 'node:path'
import type { Act } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import { done, sampleFeedItem, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

const DAY = 86_400_000
const FIRST = Date.UTC(2026, 4, 1, 12)

/** Three items, one a day, created by two clients. */
const furnish = (folder: string) =>
  onStore(folder, async (store) => {
    const by = (id: string): Act => ({ actor: { kind: 'client', id }, action: 'create' })
    const at = (days: number) => ({ createdAt: instant(FIRST), updatedAt: instant(FIRST + days * DAY) })
    const add = (n: number, client: string) =>
      store.libraryItems.add({ item: sampleLibraryItem(n, at(n)), linksToImages: [], act: by(client) })
    await done(add(0, 'desk'))
    await done(add(1, 'app'))
    const item = sampleFeedItem(2, at(2))
    await done(store.feedItems.add({ item, linksToImages: [], act: by('desk') }))
  })

t.test('K4: audit lists the changes, newest first', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  t.match(await inFolder(folder, ['audit', '--json']), { code: 0, out: '[]\n' })
  await furnish(folder)
  const audit = async (...args: ReadonlyArray<string>) => {
    const { code, out } = await inFolder(folder, ['audit', '--json', ...args])
    t.equal(code, 0)
    return JSON.parse(out)
  }
  const ids = async (...args: ReadonlyArray<string>) =>
    (await audit(...args)).map(({ subject }: { subject: { id: string } }) => subject.id)
  const [latest] = await audit()
  t.match(latest, {
    at: '2026-05-03T12:00:00.000Z',
    actor: { kind: 'client', id: 'desk' },
    action: 'create',
    subject: { kind: 'feed', id: sampleId(2) },
    number: 1,
    changes: [{ field: 'isDonorRestricted', before: null, after: '0' }],
  })
  t.strictSame(await ids(), [2, 1, 0].map(sampleId))
  t.strictSame(await ids('--since', '2026-05-02'), [2, 1].map(sampleId))
  t.strictSame(await ids('--since', '2026-05-02T14:00:01+02:00'), [sampleId(2)])
  t.strictSame(await ids('--actor', 'desk'), [2, 0].map(sampleId))
  t.strictSame(await ids('--subject', sampleId(1)), [sampleId(1)])
  const { out } = await inFolder(folder, ['audit', '--actor', 'app'])
  t.match(out, /^TIME +ACTION +CHANGE\n2026-05-02T12:00:00\.000Z +create +library \S+ by client app: isDonor/)
})

t.test('K4: a time is a day or RFC 3339, and anything else is wrong usage', async (t) => {
  const folder = t.testdir()
  for (const time of ['yesterday', '2026-02-30', '2026-05-01T12:00', '1746100000'])
    t.match(await inFolder(folder, ['audit', '--since', time]), {
      code: 2,
      out: '',
      err: /--since must be a day/,
    })
})

t.test('K1: commands are recorded under their words, without secrets and addresses', async (t) => {
  const folder = t.testdir({
    'labels.json': JSON.stringify([{ labelId: 'water', en: 'Water', fr: 'Eau' }]),
    'users.csv': 'email,lang,subscribed\namina@example.org,fr,true\n',
  })
  const secrets: Array<string> = []
  for (const args of [
    ['client', 'add', '--id', 'app', '--scope', 'user', '--email', 'amina@example.org'],
    ['client', 'rotate', 'app'],
    ['client', 'disable', 'app'],
    ['client', 'disable', 'app'],
    ['client', 'enable', 'app'],
    ['labels', 'load', join(folder, 'labels.json')],
    ['user', 'set', 'amina@example.org', '--lang', 'en'],
    ['user', 'import', join(folder, 'users.csv')],
    ['user', 'import', join(folder, 'users.csv')],
  ]) {
    const { code, out } = await inFolder(folder, args)
    t.equal(code, 0, args.join(' '))
    if (out.includes('client_secret')) secrets.push(JSON.parse(out).client_secret)
  }
  const { out } = await inFolder(folder, ['audit', '--json'])
  const records = JSON.parse(out) as ReadonlyArray<{ actor: object; action: string }>
  t.strictSame(records.map(({ actor, action }) => [actor, action]).reverse(), [
    [{ kind: 'command', id: 'client add' }, 'add-client'],
    [{ kind: 'command', id: 'client rotate' }, 'rotate-client'],
    [{ kind: 'command', id: 'client disable' }, 'disable-client'],
    [{ kind: 'command', id: 'client enable' }, 'enable-client'],
    [{ kind: 'command', id: 'labels load' }, 'load-labels'],
    [{ kind: 'command', id: 'user set' }, 'set-preference'],
    [{ kind: 'command', id: 'user import' }, 'import-users'],
  ])
  t.equal(secrets.length, 2)
  for (const secret of [...secrets, 'amina', '@']) t.notOk(out.includes(secret))
})
