import { logGateway, openFileGateway, routed } from '@almoner/adapters-push'
import type { PushGateway } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { type Failure, failed } from '../../cli/failure.ts'
import type { Settings } from '../../config/definitions.ts'
import { always } from '../logger.ts'
import { openProviders } from './providers.ts'
import { nameOf } from './required.ts'

/** How pushes go out, until it is closed. */
export interface Pushes {
  readonly gateway: PushGateway
  /** To be called when nothing is sent any more. */
  readonly close: () => Promise<void>
}

/** Into the log, whatever its level, for a push without a line was not sent. */
const toLog = (logger: Logger): Pushes => {
  const log = always(logger)
  return { gateway: logGateway((line) => log.info({ ...line, sent: false }, 'push')), close: async () => {} }
}

const toFile = (file: string): TE.TaskEither<Failure, Pushes> => {
  const gateway = openFileGateway({ file })
  const cannot = failed(`${nameOf('push')} must name a file that can be written, in a folder that is there`)
  return async () => {
    const { _tag } = await gateway.check()
    if (_tag === 'Delivered') return E.right({ gateway, close: gateway.close })
    await gateway.close()
    return E.left(cannot)
  }
}

const toProviders =
  (settings: Settings): TE.TaskEither<Failure, Pushes> =>
  async () => {
    const { authority, providers, close } = await openProviders(settings)
    const checked = [authority, ...providers.map(({ opened }) => opened)]
    const [first, ...rest] = checked.flatMap((each) => (E.isLeft(each) ? each.left : []))
    if (first !== undefined) {
      await close()
      return E.left(failed(first, ...rest))
    }
    const open = providers.flatMap(({ opened }) => (E.isRight(opened) ? [opened.right] : []))
    const gateways = Object.fromEntries(open.map(({ provider, gateway }) => [provider, gateway]))
    return E.right({ gateway: routed(gateways), close })
  }

/**
 * Opens the way out that the settings name. Failed, with a line for every setting that is missing and every credential that cannot be
 * used. What they do not name is neither read nor loaded.
 */
export const openPushGateway = (settings: Settings, logger: Logger): TE.TaskEither<Failure, Pushes> => {
  const { push } = settings
  switch (push.kind) {
    case 'log':
      return TE.right(toLog(logger))
    case 'file':
      return toFile(push.path)
    case 'providers':
      return toProviders(settings)
  }
}
