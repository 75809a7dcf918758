import type { Node } from 'jsonc-parser'
import { fileFault } from './file-fault.ts'
import { type JsonTree, jsonValue, propertiesOf, repeatedNames } from './json-tree.ts'
import { type TableFile, unreadTable } from './table-file.ts'

/** The rows of an array of objects, and all that is wrong with it. */
export const jsonTable = (tree: JsonTree, node: Node): TableFile => {
  if (node.type !== 'array')
    return unreadTable(fileFault(tree.file, tree.lineOf(node), 'must be an array of rows'))
  const rows = node.children ?? []
  const lineOf = (row: number, field: string): number => {
    const at = rows[row] ?? node
    const property = propertiesOf(at).find(({ name }) => name === field)
    return tree.lineOf(property?.key ?? at)
  }
  return {
    file: tree.file,
    rows: rows.map(jsonValue),
    lineOf,
    faults: rows.flatMap((row) => repeatedNames(tree, row)),
    lacking: [],
    isWhole: true,
  }
}
