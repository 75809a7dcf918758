import { consoleApi } from './api.ts'
import { useAnswer } from './use-answer.ts'

/** How a session names its client where posts have an author: `console:` and the number of its person. */
const CLIENT_OF_SESSION = /^console:(\d+)$/

/** Returns the names of the managers who have signed in, by number, as the history names them (K1). */
export const usePeople = (): ReadonlyMap<string, string> => {
  const { answer } = useAnswer('people', (signal) => consoleApi.get('/people', { signal }))
  return new Map(answer?.data.people.map(({ person }) => [String(person.number), person.name]))
}

/** Returns the number of the person behind a client's id; undefined for clients of the API. */
export const personOfClient = (clientId: string): string | undefined => CLIENT_OF_SESSION.exec(clientId)?.[1]
