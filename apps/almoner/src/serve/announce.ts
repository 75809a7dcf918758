import type { Logger } from 'pino'
import type { RunningHttp } from '../composition/http.ts'
import { announce } from '../composition/logger.ts'
import { urlOf } from '../config/network.ts'
import { pushNote } from '../config/push.ts'
import type { Terminal } from '../terminal.ts'
import type { Prepared } from './prepare.ts'

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
  announce(logger, { url, baseUrl: address.baseUrl(), push: pushNote(settings.push) }, 'listening')
}
