import { reservedContactHost } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import type { Logger } from 'pino'
import type { RunningHttp } from '../composition/http.ts'
import { announce } from '../composition/logger.ts'
import { type OpenService, openService, type Shared } from '../composition/server.ts'
import { SETTINGS, type Settings } from '../config/definitions.ts'
import { isOfAllAddresses, urlOf } from '../config/network.ts'
import { pushNote } from '../config/push.ts'
import { loadDemonstration } from '../demo/demonstration.ts'
import type { ShowProgress, Terminal } from '../terminal.ts'

/** How a service is started. */
export interface Start {
  readonly settings: Settings
  readonly demo: boolean
  readonly logger: Logger
}

/** A service that is ready to accept requests. */
export interface Prepared {
  readonly service: OpenService
  /** Makes the text to print once it listens; absent without the demonstration. */
  readonly banner: (() => string) | undefined
}

/** Opens a service, brings the schema up to date, and loads demonstration content into an empty database if `demo` is set. */
export const prepare = async (
  { settings, demo, logger }: Start,
  signal: AbortSignal,
  progress: ShowProgress,
  shared?: Shared,
): Promise<Prepared> => {
  const service = await openService(settings, logger, shared)
  try {
    return { service, banner: demo ? await loadDemonstration(service, signal, progress) : undefined }
  } catch (cause) {
    await service.close()
    throw cause
  }
}

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
