import type { Node } from 'jsonc-parser'
import { fileFault } from './file-fault.ts'
import { type JsonTree, jsonValue, propertiesOf, repeatedNames } from './json-tree.ts'
import { type NamePlace, type PortfolioFiles, type TableFile, unreadTable } from './portfolio-files.ts'

/** Reads the rows of an array of objects, with its errors. */
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

/** Reads the name of a portfolio in a JSON object. Every other property is an error unless `isKnown` accepts it. */
export const readName = (
  tree: JsonTree,
  isKnown: (name: string) => boolean,
  stranger: string,
): Pick<PortfolioFiles, 'name' | 'faults'> => {
  const { file, root, lineOf } = tree
  const properties = propertiesOf(root)
  const found = properties.find(({ name }) => name === 'name')
  const name: NamePlace = {
    called: found && jsonValue(found.value),
    file,
    line: lineOf(found?.key ?? root),
  }
  const unexpected = properties
    .filter((property) => property.name !== 'name' && !isKnown(property.name))
    .map((property) => fileFault(file, lineOf(property.key), `${property.name} ${stranger}`))
  return { name, faults: [...unexpected, ...repeatedNames(tree, root)] }
}
