import { resolve } from 'node:path'
import { totalIn } from '@almoner/adapters-http'
import type { Host, HostFigures } from '@almoner/domain/operations'
import * as O from 'fp-ts/lib/Option.js'
import { type Machine, THIS_MACHINE } from '../commands/doctor/finding.ts'
import { examineInServer } from '../commands/doctor/in-server.ts'
import type { Settings } from '../config/definitions.ts'
import type { OpenService } from './server.ts'

const adaptersOf = ({ database, media, push }: Settings): Host['adapters'] => ({
  database: database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL',
  storage: media.kind === 'folder' ? 'folder' : 'S3',
  push: push.kind === 'providers' ? push.providers : [push.kind],
})

const freeBytes = async ({ media }: Settings, { roomAt }: Machine): Promise<number | undefined> => {
  if (media.kind === 's3') return undefined
  const room = await roomAt(resolve(media.path)).catch(() => undefined)
  return room === undefined ? undefined : room.bavail * room.bsize
}

/** Makes the console's view of this program for operators: its checks, and figures from the metrics of all its processes. */
export const makeHost = (
  { settings, database, opener, metrics }: OpenService,
  readMetrics = () => metrics.registry.metrics(),
): Host => ({
  adapters: adaptersOf(settings),
  examine: () => examineInServer({ settings, machine: THIS_MACHINE, service: opener, database }),
  measure: async (): Promise<HostFigures> => {
    const [text, free] = await Promise.all([readMetrics(), freeBytes(settings, THIS_MACHINE)])
    return {
      requests: O.fromNullable(totalIn(text, 'almoner_http_request_duration_seconds_count')),
      operations: O.fromNullable(totalIn(text, 'almoner_database_duration_seconds_count')),
      freeBytes: O.fromNullable(free),
    }
  },
})
