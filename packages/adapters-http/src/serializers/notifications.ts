import type { DeliveryReport } from '@almoner/domain/delivery'
import {
  DELIVERY_STATES,
  type Look,
  type NotificationView,
  SHORTENED,
  toDateTime,
} from '@almoner/domain/notifications'
import { toRfc3339 } from '@almoner/domain/values'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { LANG, literals, optional, orEmpty, under } from './codecs.ts'

/** A notification as callers see it: the interface's fields and no others, all text, `""` where absent (G1). */
export const NotificationJson = under('notification', {
  id: t.string,
  title: t.string,
  subtitle: t.string,
  description: t.string,
  date: t.string,
  lang: LANG,
  visualUrl: t.string,
  iconUrl: t.string,
  actionUrl: t.string,
  color: t.string,
})

/** How far a notification has come: devices counted, times in RFC 3339 or `""` (G7), and what `include` adds (G6). */
export const DeliveryJson = under('delivery', {
  notificationId: t.string,
  state: literals(DELIVERY_STATES),
  recipients: t.Int,
  pending: t.Int,
  delivered: t.Int,
  failed: t.Int,
  dead: t.Int,
  skipped: t.Int,
  startedAt: t.string,
  finishedAt: t.string,
  shortened: optional(literals(SHORTENED)),
})

const dateTime = flow(O.map(toDateTime), orEmpty)
const timestamp = flow(O.map(toRfc3339), orEmpty)

/** Writes a notification: `date` in UTC, its icon and colour those of the deployment (G1). */
export const encodeNotification =
  ({ iconUrl, color }: Look) =>
  ({
    notification: { id, title, subtitle, description, date, lang },
    links: { visualUrl, actionUrl },
  }: NotificationView): t.OutputOf<typeof NotificationJson> => ({
    notification: {
      id,
      title,
      subtitle: orEmpty(subtitle),
      description: orEmpty(description),
      date: dateTime(date),
      lang,
      visualUrl: orEmpty(visualUrl),
      iconUrl: orEmpty(iconUrl),
      actionUrl: orEmpty(actionUrl),
      color,
    },
  })

/** Writes a delivery report; members that were not asked for are undefined, and JSON leaves them out. */
export const encodeDelivery = (delivery: DeliveryReport): t.OutputOf<typeof DeliveryJson> => ({
  delivery: {
    notificationId: delivery.notificationId,
    state: delivery.state,
    recipients: delivery.recipients,
    pending: delivery.pending,
    delivered: delivery.tally.delivered,
    failed: delivery.tally.failed,
    dead: delivery.tally.dead,
    skipped: delivery.tally.skipped,
    startedAt: timestamp(delivery.startedAt),
    finishedAt: timestamp(delivery.finishedAt),
    shortened: delivery.shortened,
  },
})
