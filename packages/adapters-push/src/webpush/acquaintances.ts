import { makeStrangers, type Strangers } from '../strangers.ts'

/** More origins than push services have. */
const MOST_ORIGINS = 500

/** Whether it is us who are refused is found out for each push service; one that has not been asked for long is forgotten. */
export const makeAcquaintances = (): ((origin: string) => Strangers) => {
  const kept = new Map<string, Strangers>()
  return (origin) => {
    const strangers = kept.get(origin) ?? makeStrangers()
    kept.delete(origin)
    kept.set(origin, strangers)
    const [oldest = origin] = kept.keys()
    if (kept.size > MOST_ORIGINS) kept.delete(oldest)
    return strangers
  }
}
