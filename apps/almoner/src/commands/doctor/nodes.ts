import { later, type Node } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { sharedSettings } from '../../config/shared-by-nodes.ts'
import { SILENT } from '../../jobs/node.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { onCurrent } from './opened.ts'

const FIX = 'give all nodes the same, and start those anew that had another'

type Teller = Pick<Node, 'name' | 'settings'>

/** Who has which value of a setting. A node of another version may not know the setting, and has none. */
const holdersOf = (name: string, nodes: ReadonlyArray<Teller>): ReadonlyArray<string> => {
  const knowing = nodes.filter(({ settings }) => settings[name] !== undefined)
  const holders = Map.groupBy(knowing, ({ settings }) => settings[name])
  return [...holders].map(([value, some]) => `${some.map((one) => one.name).join(', ')}: ${value}`)
}

const differences = (nodes: ReadonlyArray<Teller>): ReadonlyArray<Found> => {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))]
  return names.flatMap((name) => {
    const holders = holdersOf(name, nodes)
    return holders.length === 1
      ? []
      : [fault(`${name} is not the same everywhere; ${holders.join('; ')}`, FIX)]
  })
}

/** Whether the nodes that run on the database, and the settings here, have what they have to have in common. */
export const nodesCheck: Check = {
  name: 'nodes',
  look: onCurrent(async ({ store, clock }, settings) => {
    const running = await store.nodes.since(later(clock.now(), -SILENT))()
    if (E.isLeft(running)) return []
    const here = { name: 'here', settings: sharedSettings(settings) }
    const found = differences([...running.right, here])
    if (found.length > 0) return found
    const [one, ...more] = running.right.map(({ name }) => name)
    if (one === undefined) return [ok('no server runs on this database')]
    return [ok(`with the same settings as here: ${[one, ...more].join(', ')}`)]
  }),
}
