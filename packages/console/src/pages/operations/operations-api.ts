import { consoleApi } from '../../session/api.ts'

/** Runs the checks of the service, and returns what they found. */
export const listFindings = (signal: AbortSignal) => consoleApi.get('/findings', { signal })

/** One thing that a check found. */
export type Finding = Awaited<ReturnType<typeof listFindings>>['data']['findings'][number]['finding']

/** Returns the states of the push providers. */
export const listProviders = (signal: AbortSignal) => consoleApi.get('/providers', { signal })

/** The state of a push provider. */
export type ProviderState = Awaited<ReturnType<typeof listProviders>>['data']['providers'][number]['provider']

/** Pauses a provider until an operator resumes it. */
export const pauseProvider = (provider: string) =>
  consoleApi.put('/providers/{provider}/pause', { path: { provider }, body: {} })

/** Ends the pause of a provider. For these hours, no number of unregistered devices starts another one. */
export const resumeProvider = (provider: string, ignoreUnregisteredHours?: number) =>
  consoleApi.delete('/providers/{provider}/pause', {
    path: { provider },
    query: ignoreUnregisteredHours === undefined ? {} : { ignoreUnregisteredHours },
  })

/** Returns content, devices and 30 days of deliveries in numbers. */
export const showStatistics = (signal: AbortSignal) => consoleApi.get('/statistics', { signal })

/** A service in numbers. */
export type Statistics = Awaited<ReturnType<typeof showStatistics>>['data']['statistics']

/** Returns what the service does now. */
export const showFigures = async (signal: AbortSignal) =>
  (await consoleApi.get('/figures', { signal })).data.figures

/** What the service does at a moment. */
export type Figures = Awaited<ReturnType<typeof showFigures>>
