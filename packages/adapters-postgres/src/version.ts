import type { Database } from '@almoner/adapters-kysely'
import type { Changes } from './listen-notify.ts'

/** The two versions of the database: counts change signals from the first call on. */
export const makeVersions = ({
  onChange,
}: Pick<Changes, 'onChange'>): Pick<Database, 'version' | 'accessVersion'> => {
  const counts = { content: 0, anything: 0 }
  let listening = false
  const listen = () => {
    if (listening) return
    listening = true
    onChange((change) => {
      counts[change] += 1
    })
  }
  return {
    version: () => {
      listen()
      return counts.content + counts.anything
    },
    accessVersion: () => {
      listen()
      return counts.anything
    },
  }
}
