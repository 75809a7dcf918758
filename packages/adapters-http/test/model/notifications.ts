import assert from 'node:assert/strict'
import { review } from '../support/notifications.ts'
import { type Asked, pageFaults, pageOf } from './lists.ts'
import {
  type Asker,
  type Lang,
  type Model,
  type ModelItem,
  type ModelNotification,
  type Real,
  send,
} from './model.ts'
import { isRoutable } from './people.ts'

/** Parameters of a new notification, as they are sent. */
export interface Sent {
  readonly lang: string | undefined
  readonly title: string | undefined
  readonly resource_type: string | undefined
  /** Seconds from now, or an invalid time. */
  readonly date: number | string | undefined
}

const dateOf = ({ now }: Model, date: Sent['date']): string | undefined =>
  typeof date === 'number' ? String(Math.floor(now / 1000) + date) : date

/** G2: UNIX seconds, none past the year 9999, negative or fractional. */
const badDate = (text: string | undefined): boolean =>
  text !== undefined && text !== '' && (!/^\d+$/.test(text) || Number(text) > 253_402_300_799)

const isBad = ({ lang, title, resource_type }: Sent): boolean =>
  !['en', 'fr'].includes(lang?.toLowerCase() ?? '') ||
  (title ?? '').trim() === '' ||
  resource_type !== 'Library'

/** G1: every field, as text; addresses come from the related item while it is Live. */
const shownOf = ({ id, title, date, lang, resource }: ModelNotification) => ({
  id,
  title,
  subtitle: '',
  description: '',
  date: date === undefined ? '' : new Date(date).toISOString().slice(0, 19).replace('T', ' '),
  lang,
  visualUrl: resource?.status === 'Live' ? (resource.notification?.url ?? '') : '',
  iconUrl: '',
  actionUrl: resource?.status === 'Live' ? resource.link : '',
  color: '#1F4E79',
})

/** Compares a notification with the model's. */
export const seeNotification = (notification: ModelNotification, shown: unknown): void => {
  const { resource } = notification
  const expected = shownOf(notification)
  // The address of an upload may not have been seen yet.
  if (
    resource?.status === 'Live' &&
    resource.notification !== undefined &&
    resource.notification.url === undefined
  )
    resource.notification.url = (shown as { visualUrl: string }).visualUrl
  assert.deepEqual(shown, { ...expected, visualUrl: shownOf(notification).visualUrl })
}

const newNotification = (
  id: string,
  { title = '', lang = '' }: Sent,
  date: string | undefined,
  resource: ModelItem | 'unknown' | undefined,
): ModelNotification => {
  const at = date === undefined ? undefined : Number(date) * 1000
  return {
    id,
    title: title.normalize('NFC'),
    lang: lang.toLowerCase() as Lang,
    date: at,
    resource: typeof resource === 'object' ? resource : undefined,
    state: at === undefined ? 'unscheduled' : 'scheduled',
    recipients: 0,
    delivered: 0,
    failed: 0,
    deleted: false,
    startedAt: Infinity,
    meantFor: new Set(),
    seen: new Map(),
  }
}

export const runNotify = async (
  m: Model,
  real: Real,
  asker: Asker,
  sent: Sent,
  resource: ModelItem | 'unknown' | undefined,
) => {
  const date = dateOf(m, sent.date)
  const { lang, title, resource_type } = sent
  // A feed item is no library item.
  const isGone = resource === 'unknown' || resource?.contentType === 'feed'
  const faults = [...(isBad(sent) || badDate(date) ? [400] : []), ...(isGone ? [404] : [])]
  const resource_id = typeof resource === 'object' ? resource.id : resource
  const fields = { lang, title, resource_type, date, resource_id }
  const answer = await send(m, real, { asker, method: 'POST', path: '/notification', fields }, 3, faults)
  if (answer === undefined) return
  const { notification: shown } = answer.body as { notification: { id: string } }
  const notification = newNotification(shown.id, sent, date, resource)
  seeNotification(notification, shown)
  m.notifications.push(notification)
}

type Changed = Pick<Sent, 'lang' | 'title'> & { readonly date: string | undefined }

const changeFaults = (one: ModelNotification | undefined, { lang, title, date }: Changed) => {
  const isOther = lang !== undefined && !['en', 'fr'].includes(lang.toLowerCase())
  const isInvalid = badDate(date) || isOther || title?.trim() === ''
  const isGone = one === undefined || one.deleted
  const isStarted = !isGone && one.state !== 'unscheduled' && one.state !== 'scheduled'
  return [...(isInvalid ? [400] : []), ...(isGone ? [404] : []), ...(isStarted ? [409] : [])]
}

/** G13: until the review takes it up; 409 from then on. */
export const runChangeNotification = async (
  m: Model,
  real: Real,
  asker: Asker,
  one: ModelNotification | undefined,
  sent: Pick<Sent, 'date' | 'lang' | 'title'>,
) => {
  const fields = { ...sent, date: dateOf(m, sent.date) }
  const path = `/notification/${one?.id ?? 'unknown'}`
  const answer = await send(m, real, { asker, method: 'POST', path, fields }, 3, changeFaults(one, fields))
  if (answer === undefined || one === undefined) return
  const { lang = one.lang, title = one.title, date } = fields
  one.title = title.normalize('NFC')
  one.lang = lang.toLowerCase() as Lang
  if (date !== undefined) {
    one.date = date === '' ? undefined : Number(date) * 1000
    one.state = date === '' ? 'unscheduled' : 'scheduled'
  }
  seeNotification(one, (answer.body as { notification: unknown }).notification)
}

interface Shown {
  readonly notification: { readonly id: string; readonly date: string }
}

/** G3: latest first, undated last; the interface leaves open which of two of the same time comes first. */
export const runNotifications = async (
  m: Model,
  real: Real,
  asker: Asker,
  asked: Omit<Asked, 'itemType'>,
) => {
  const { lang } = asked
  const badLang = lang !== undefined && !['en', 'fr'].includes(lang.toLowerCase())
  const whole = await send(
    m,
    real,
    { asker, method: 'GET', path: '/notification', fields: { lang } },
    3,
    badLang ? [400] : [],
  )
  if (whole === undefined) return
  const { notifications } = whole.body as { notifications: ReadonlyArray<Shown> }
  const expected = m.notifications.filter(
    (one) => !one.deleted && (lang === undefined || one.lang === lang.toLowerCase()),
  )
  const ids = notifications.map(({ notification }) => notification.id)
  assert.deepEqual([...ids].sort(), expected.map(({ id }) => id).sort())
  const dates = notifications.map(({ notification }) => notification.date)
  assert.deepEqual(dates, [...dates].sort().reverse(), 'G3')
  for (const { notification } of notifications) {
    const known = expected.find(({ id }) => id === notification.id)
    if (known !== undefined) seeNotification(known, notification)
  }
  const page = await send(
    m,
    real,
    { asker, method: 'GET', path: '/notification', fields: { ...asked } },
    3,
    pageFaults(asked),
  )
  if (page === undefined) return
  const found = (page.body as { notifications: ReadonlyArray<Shown> }).notifications
  assert.deepEqual(
    found.map(({ notification }) => notification.id),
    pageOf(ids, asked),
    'B4',
  )
}

export const runGetNotification = async (
  m: Model,
  real: Real,
  asker: Asker,
  one: ModelNotification | undefined,
) => {
  const path = `/notification/${one?.id ?? 'unknown'}`
  const answer = await send(m, real, { asker, method: 'GET', path }, 3, [])
  if (answer === undefined) return
  const { notifications } = answer.body as { notifications: ReadonlyArray<Shown> }
  const isThere = one !== undefined && !one.deleted
  assert.equal(notifications.length, isThere ? 1 : 0)
  if (isThere) seeNotification(one, notifications[0]?.notification)
}

export const runDeleteNotification = async (
  m: Model,
  real: Real,
  asker: Asker,
  one: ModelNotification | undefined,
) => {
  const faults = one === undefined || one.deleted ? [404] : []
  const path = `/notification/${one?.id ?? 'unknown'}`
  const answer = await send(m, real, { asker, method: 'DELETE', path }, 3, faults)
  if (answer === undefined || one === undefined) return
  assert.equal(answer.body, 'success')
  one.deleted = true
}

/** G7. */
export const runDelivery = async (m: Model, real: Real, asker: Asker, one: ModelNotification | undefined) => {
  const faults = one === undefined || one.deleted ? [404] : []
  const path = `/notification/${one?.id ?? 'unknown'}/delivery`
  const answer = await send(m, real, { asker, method: 'GET', path }, 3, faults)
  if (answer === undefined || one === undefined) return
  const { startedAt, finishedAt, ...delivery } = (
    answer.body as { delivery: Readonly<Record<string, unknown>> }
  ).delivery
  const { id: notificationId, state, recipients, delivered, failed } = one
  assert.deepEqual(delivery, {
    notificationId,
    state,
    recipients,
    pending: 0,
    delivered,
    failed,
    dead: 0,
    skipped: 0,
  })
  const isSettled = ['sent', 'partial', 'failed'].includes(state)
  assert.deepEqual([startedAt !== '', finishedAt !== ''], [isSettled, isSettled])
}

/** G4, G5: every notification whose time has come goes to the devices of subscribed users of its language; unroutable ones fail. */
export const runReview = async (m: Model, real: Real) => {
  await review(real.fixture)
  for (const one of m.notifications) {
    if (one.deleted || one.state !== 'scheduled' || (one.date ?? 0) > m.now) continue
    const devices = [...m.devices].filter(([, email]) => {
      const user = m.users.get(email)
      return user?.subscribed === true && user.lang === one.lang
    })
    one.startedAt = m.now
    one.meantFor = new Set([...m.users].flatMap(([email, { lang }]) => (lang === one.lang ? [email] : [])))
    one.recipients = devices.length
    one.delivered = devices.filter(([token]) => isRoutable(token)).length
    one.failed = one.recipients - one.delivered
    one.state = one.failed === 0 ? 'sent' : one.delivered === 0 ? 'failed' : 'partial'
  }
}
