import {
  decode,
  makePreviewNotification,
  NotificationId,
  PAYLOAD_LIMIT,
  type Preview,
  type PushMessage,
  toDateTime,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Printout, Work } from '../../cli/command.ts'
import { misused } from '../../cli/failure.ts'
import { onSending } from './ports.ts'
import { whyNot } from './why-not.ts'

const dateOf = ({ notification: { date } }: Preview): string =>
  O.isSome(date) ? `${toDateTime(date.value)} UTC` : 'none: it never goes out'

/** JSON escapes the control characters of ASCII; the others would move the cursor of a terminal too. */
const shown = (message: PushMessage): string =>
  JSON.stringify(message, null, 2).replaceAll(/[\u007f-\u009f]/g, '?')

const textOf = (preview: Preview): string => {
  const { notification, recipients, bytes, message } = preview
  const kinds = Object.entries(recipients).map(([kind, count]) => `${kind} ${count}`)
  return [
    `notification  ${notification.id}`,
    `language      ${notification.lang}`,
    `date          ${dateOf(preview)}`,
    `recipients    ${kinds.join(', ')}`,
    `size          ${bytes} of ${PAYLOAD_LIMIT} bytes`,
    `message       ${shown(message)}`,
  ].join('\n')
}

const printout = (preview: Preview): Printout => {
  const { notification, recipients, bytes, message } = preview
  const json = { notificationId: notification.id, recipients, bytes, limit: PAYLOAD_LIMIT, message }
  return { text: textOf(preview), json }
}

/** `notification preview ID`: the devices that it would go to now, by kind, and the message; sends nothing. */
export const previewNotification =
  (id: string): Work =>
  (settings) =>
    pipe(
      TE.fromEither(decode(NotificationId)(id)),
      TE.mapLeft(({ faults: [first] }) => misused(`ID ${first.message}`)),
      TE.flatMap((known) =>
        onSending(({ ports, policy }) =>
          pipe(makePreviewNotification(ports, policy)(known), TE.bimap(whyNot, printout)),
        )(settings),
      ),
    )
