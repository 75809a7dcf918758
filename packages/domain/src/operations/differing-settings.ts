import type { Node } from '../ports/nodes.ts'

/** A node as far as its settings are compared. */
export type ConfiguredNode = Pick<Node, 'name' | 'settings'>

/** A setting that is not the same on all nodes. */
export interface DifferingSetting {
  readonly setting: string
  /** The values, each with the nodes that have it. */
  readonly holders: ReadonlyArray<{ readonly value: string; readonly nodes: ReadonlyArray<string> }>
}

/** Returns the settings that are not the same on all nodes. A node of another version may not know a setting, and has none. */
export const differingSettings = (nodes: ReadonlyArray<ConfiguredNode>): ReadonlyArray<DifferingSetting> => {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))]
  return names
    .map((setting) => {
      const knowing = nodes.filter(({ settings }) => settings[setting] !== undefined)
      const values = [...new Set(knowing.map(({ settings }) => settings[setting] ?? ''))]
      const holders = values.map((value) => ({
        value,
        nodes: knowing.filter(({ settings }) => settings[setting] === value).map(({ name }) => name),
      }))
      return { setting, holders }
    })
    .filter(({ holders }) => holders.length > 1)
}
