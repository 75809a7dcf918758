import type { Node } from '@almoner/domain/ports'
import { addMillis } from '@almoner/domain/values'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleMoment } from './samples-people.ts'

/** A store for one test. */
export type NodesUnderTest = UnderTest<'nodes'>

const node = (id: string, name: string, over: Partial<Node> = {}): Node => ({
  id,
  name,
  lastSeenAt: SAMPLE_MOMENT,
  settings: { ALMONER_TIME_ZONE: 'UTC', ALMONER_COLOR: '#1F4E79 "é"' },
  ...over,
})

/** Contract tests of `Nodes`. */
export const nodesContract = (runner: ContractRunner, make: () => Promise<NodesUnderTest>): void => {
  const given = onEach(runner, make, ({ nodes }) => nodes)

  given(
    'nodes: the last heartbeat of each node is returned, in the order of their names',
    async (check, nodes) => {
      const [one, two] = [node('b', 'web-2:3000'), node('a', 'web-1:3000')]
      for (const each of [one, two]) await done(nodes.beat(each, SAMPLE_MOMENT))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [two, one])
      const again = node('b', 'web-0:3000', { lastSeenAt: sampleMoment(60), settings: {} })
      await done(nodes.beat(again, SAMPLE_MOMENT))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [again, two])
      check.same(await done(nodes.since(sampleMoment(60))), [again])
      check.same(await done(nodes.since(sampleMoment(61))), [])
    },
  )

  given(
    'nodes: a node that deregisters, or sends no heartbeat for long, is deleted',
    async (check, nodes) => {
      for (const id of ['a', 'b']) await done(nodes.beat(node(id, id), SAMPLE_MOMENT))
      await done(nodes.deregister('a'))
      await done(nodes.deregister('nobody'))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [node('b', 'b')])
      await done(nodes.beat(node('c', 'c'), SAMPLE_MOMENT))
      check.same(
        (await done(nodes.since(SAMPLE_MOMENT))).length,
        2,
        'a node whose last heartbeat was at that moment stays',
      )
      const late = node('d', 'd', { lastSeenAt: sampleMoment(9) })
      await done(nodes.beat(late, addMillis(SAMPLE_MOMENT, 1)))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [late])
    },
  )
}
