import { consoleApi } from '../session/api.ts'

/** Finds people by their address or a part of it, which stands in the body: no URL has it. */
export const findPeople = async (address: string) =>
  (await consoleApi.post('/users/search', { body: { address } })).data

/** The people that a search has found. */
export type FoundPeople = Awaited<ReturnType<typeof findPeople>>

/** Reads the data of a person. */
export const readPerson = (number: number, signal: AbortSignal) =>
  consoleApi.get('/users/{number}', { path: { number }, signal })

/** The data of a person. */
export type Person = Awaited<ReturnType<typeof readPerson>>['data']['user']

/** Lists the latest posts of a person, at most `lim`. */
export const listPosts = (number: number, lim: number, signal: AbortSignal) =>
  consoleApi.get('/users/{number}/feed', { path: { number }, query: { lim }, signal })

/** Erases a person. */
export const erasePerson = (number: number) => consoleApi.delete('/users/{number}', { path: { number } })

/** Saves everything that is stored about a person as a file, as `almoner user export` prints it. The name of the file has no address. */
export const downloadPerson = async (number: number): Promise<void> => {
  const { data } = await consoleApi.post('/users/{number}/export', { path: { number }, body: {} })
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(data)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `person-${number}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
