import { byProvider, logGateway, openFileGateway } from '@almoner/adapters-push'
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { Settings } from '../../config/definitions.ts'
import { CommandFailed, failed } from '../../failure.ts'
import { always } from '../logger.ts'
import { nameOf } from './credentials.ts'
import type { OpenGateway } from './host-gateway.ts'
import { openProviders } from './providers.ts'

/** Writes every push to the log, at every log level: a push without a line was not sent. */
const toLog = (logger: Logger): OpenGateway => {
  const log = always(logger)
  return { gateway: logGateway((line) => log.info({ ...line, sent: false }, 'push')), close: async () => {} }
}

const toFile = async (file: string): Promise<OpenGateway> => {
  const gateway = openFileGateway({ file })
  const { _tag } = await gateway.check()
  if (_tag === 'Delivered') return { gateway, close: gateway.close }
  await gateway.close()
  throw failed(`${nameOf('push')} must name a file that can be written, in a folder that is there`)
}

const toProviders = async (settings: Settings): Promise<OpenGateway> => {
  const { authority, providers, close } = await openProviders(settings)
  const errors = [authority, ...providers.map(({ opened }) => opened)].flatMap((each) =>
    E.isLeft(each) ? each.left : [],
  )
  if (errors.length > 0) {
    await close()
    throw new CommandFailed(errors)
  }
  const open = providers.flatMap(({ opened }) => (E.isRight(opened) ? [opened.right] : []))
  const gateways = Object.fromEntries(open.map(({ provider, gateway }) => [provider, gateway]))
  return { gateway: byProvider(gateways), close }
}

/** Opens only the gateway that the settings name. Rejects with a line for every missing setting and every unusable credential. */
export const openPushGateway = async (settings: Settings, logger: Logger): Promise<OpenGateway> => {
  const { push } = settings
  switch (push.kind) {
    case 'log':
      return toLog(logger)
    case 'file':
      return toFile(push.path)
    case 'providers':
      return toProviders(settings)
  }
}
