import type { Node, Nodes } from '@almoner/domain/ports'
import { isFarAhead } from '@almoner/domain/values'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Tables } from './tables.ts'

const inOrder = (a: Node, b: Node): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** The nodes that use a store, in memory. */
export const memoryNodes = ({ nodes }: Tables): Nodes => ({
  beat: (node, forgotten) =>
    TE.fromIO(() => {
      nodes.set(node.id, node)
      for (const { id, lastSeenAt } of nodes.values())
        if (lastSeenAt < forgotten || isFarAhead(lastSeenAt, node.lastSeenAt)) nodes.delete(id)
    }),
  since: (moment) =>
    TE.fromIO(() => [...nodes.values()].filter(({ lastSeenAt }) => lastSeenAt >= moment).sort(inOrder)),
  deregister: (id) => TE.fromIO(() => void nodes.delete(id)),
})
