import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Returns the store of a provider: everything in memory, for as long as the provider lives. */
export const memoryAdapter = (): ((model: string) => Adapter) => {
  const rows = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    const findBy = (matches: (row: AdapterPayload) => boolean) => [...rows.values()].find(matches)
    return {
      upsert: async (id, row) => {
        rows.set(keyOf(id), row)
      },
      find: async (id) => rows.get(keyOf(id)),
      findByUid: async (uid) => findBy((row) => row.kind === model && row.uid === uid),
      findByUserCode: async (code) => findBy((row) => row.userCode === code),
      consume: async (id) => {
        const row = rows.get(keyOf(id))
        if (row !== undefined) row.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => {
        rows.delete(keyOf(id))
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
      },
    }
  }
}
