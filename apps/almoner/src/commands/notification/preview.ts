import type { Unavailable } from '@almoner/domain'
import {
  makePreviewNotification,
  type NotificationNotFound,
  PAYLOAD_LIMIT,
  type Preview,
  toDateTime,
} from '@almoner/domain/notifications'
import { NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { argument } from '../../cli/arguments.ts'
import { type Command, firstOf } from '../../cli/command.ts'
import { rejectUnknownAddress } from '../../composition/address.ts'
import type { Service } from '../../composition/service.ts'
import { type CommandFailed, databaseNotAvailable, failed, orFail } from '../../failure.ts'

const failure = (why: NotificationNotFound | Unavailable): CommandFailed =>
  why._tag === 'NotificationNotFound' ? failed('there is no such notification') : databaseNotAvailable(why)

/** Resolves to the recipients and the message that a notification would have now. */
export const previewOf = async (service: Service, id: NotificationId): Promise<Preview> => {
  rejectUnknownAddress(service.settings)
  const pushGateway = await service.pushGateway()
  const { mediaAddresses } = service.address
  const ports = { ...(await service.ports()), mediaAddresses, pushGateway }
  return orFail(makePreviewNotification(ports, service.policy)(id), failure)
}

const textOf = (preview: Preview): string => {
  const { recipients, bytes, smallerLimits, message } = preview
  const { id, lang, date } = preview.notification
  const kinds = Object.entries(recipients).map(([kind, count]) => `${kind} ${count}`)
  // JSON escapes the control characters of ASCII; the others would move the cursor of a terminal too.
  const shown = JSON.stringify(message, null, 2).replaceAll(/[\u007f-\u009f]/g, '?')
  return [
    `notification  ${id}`,
    `language      ${lang}`,
    `date          ${O.isSome(date) ? `${toDateTime(date.value)} UTC` : 'none: it never goes out'}`,
    `recipients    ${kinds.join(', ')}`,
    `size          ${bytes} of ${PAYLOAD_LIMIT} bytes`,
    ...smallerLimits.map(
      (one) =>
        `              ${one.service} ${one.bytes} of ${one.most} bytes${one.bytes > one.most ? ', too large' : ''}`,
    ),
    `message       ${shown}`,
  ].join('\n')
}

/** `notification preview ID`: shows the devices that it would go to now, by kind, and the message; sends nothing. */
export const previewNotification: Command = {
  usage: 'notification preview <ID>',
  summary: 'show who would get a notification now, and its content',
  async run({ args, service }) {
    const preview = await previewOf(service, argument('ID', NotificationId, firstOf(args)))
    const { notification, recipients, bytes, ...rest } = preview
    const json = { notificationId: notification.id, recipients, bytes, limit: PAYLOAD_LIMIT, ...rest }
    return { text: textOf(preview), json }
  },
}
