import type { Logger } from 'pino'
import { type OpenService, openService, type Shared } from '../composition/server.ts'
import type { Settings } from '../config/definitions.ts'
import { loadDemonstration } from '../demo/demonstration.ts'
import type { ShowProgress } from '../terminal.ts'

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
