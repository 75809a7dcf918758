import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../failure.ts'
import type { Settings } from '../../settings/definitions.ts'
import type { Endpoint } from '../../settings/network.ts'
import { cannotListen } from '../http.ts'

const tryToListen = async ({ host, port }: Endpoint): Promise<number> => {
  const server = createServer()
  await once(server.listen({ host, port }), 'listening')
  const chosen = (server.address() as AddressInfo).port
  await new Promise((resolve) => server.close(resolve))
  return chosen
}

/**
 * The port that workers will share: as asked for, or one that the system chooses. Found out before there are any, so that a port that
 * is taken is one fault and not one for each, and so that it stays the same when all workers are replaced.
 */
export const findPort = (
  settings: Pick<Settings, 'host' | 'port' | 'metrics'>,
): TE.TaskEither<Failure, number> => TE.tryCatch(() => tryToListen(settings), cannotListen(settings))
