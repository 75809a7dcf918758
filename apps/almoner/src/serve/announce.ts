import { reservedContactHost } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import type { Logger } from 'pino'
import type { RunningHttp } from '../composition/http.ts'
import { announce } from '../composition/logger.ts'
import { SETTINGS, type Settings } from '../config/definitions.ts'
import { isOfAllAddresses, urlOf } from '../config/network.ts'
import { pushNote } from '../config/push.ts'
import type { Terminal } from '../terminal.ts'
import type { Prepared } from './prepare.ts'

/** Warns of a contact that Apple's push service refuses, with each push to Safari (F1). */
const warnOfContact = ({ push, vapidSubject }: Settings, logger: Logger): void => {
  const host = O.toUndefined(O.chainNullableK(reservedContactHost)(vapidSubject))
  if (host !== undefined && push.kind === 'providers' && push.providers.includes('webpush'))
    logger.warn(
      { setting: SETTINGS.vapidSubject.name, host },
      'Apple refuses Web Pushes with this contact: set it to an address or a page of yours on the internet',
    )
}

/** Warns of a public URL that clients cannot open: that of all addresses of the machine. */
const warnOfAddress = (baseUrl: string, logger: Logger): void => {
  if (isOfAllAddresses(baseUrl))
    logger.warn(
      { setting: SETTINGS.baseUrl.name, baseUrl },
      'clients cannot open the URLs in responses: set this to the URL under which they reach the service',
    )
}

/** Writes the lines that scripts and people wait for: the banner of the demonstration, and where the service listens. */
export const announceListening = (
  { service: { settings, address }, banner }: Prepared,
  { port, metricsUrl }: Pick<RunningHttp, 'port' | 'metricsUrl'>,
  logger: Logger,
  terminal: Terminal,
): void => {
  address.listensOn(port)
  if (banner !== undefined) terminal.out(banner())
  if (metricsUrl !== undefined) announce(logger, { url: metricsUrl }, 'metrics listening')
  const url = urlOf({ host: settings.host, port })
  warnOfContact(settings, logger)
  warnOfAddress(address.baseUrl(), logger)
  announce(logger, { url, baseUrl: address.baseUrl(), push: pushNote(settings.push) }, 'listening')
}
