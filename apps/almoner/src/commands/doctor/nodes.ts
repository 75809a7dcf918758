import { later, type Node } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { SILENT } from '../../serve/node.ts'
import { commonSettings } from '../../settings/common.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { onCurrent } from './opened.ts'

const FIX = 'give all nodes the same, and start those anew that had another'

/** Who has which value of a setting. */
const holdersOf = (name: string, nodes: ReadonlyArray<Pick<Node, 'name' | 'settings'>>) =>
  Map.groupBy(nodes, ({ settings }) => settings[name] ?? 'nothing')

const differences = (nodes: ReadonlyArray<Pick<Node, 'name' | 'settings'>>): ReadonlyArray<Found> => {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))]
  return names.flatMap((name) => {
    const holders = holdersOf(name, nodes)
    if (holders.size === 1) return []
    const whose = [...holders].map(([value, some]) => `${some.map((one) => one.name).join(', ')}: ${value}`)
    return [fault(`${name} is not the same everywhere; ${whose.join('; ')}`, FIX)]
  })
}

/** Whether the nodes that run on the database, and the settings here, have what they have to have in common. */
export const nodesCheck: Check = {
  name: 'nodes',
  look: onCurrent(async ({ store, clock }, settings) => {
    const running = await store.nodes.since(later(clock.now(), -SILENT))()
    if (E.isLeft(running)) return []
    const here = { name: 'here', settings: commonSettings(settings) }
    const found = differences([...running.right, here])
    if (found.length > 0) return found
    const [one, ...more] = running.right.map(({ name }) => name)
    if (one === undefined) return [ok('no server runs on this database')]
    return [ok(`with the same settings as here: ${[one, ...more].join(', ')}`)]
  }),
}
