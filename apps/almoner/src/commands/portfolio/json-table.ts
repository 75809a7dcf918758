import * as E from 'fp-ts/lib/Either.js'
import type { Node } from 'jsonc-parser'
import { type FileFault, fileFault } from './file-fault.ts'
import { type JsonTree, jsonValue, propertiesOf, repeatedNames } from './json-tree.ts'
import type { TableFile } from './table-file.ts'

/** The rows of an array of objects; or a fault when it is no array. */
export const jsonTable = (tree: JsonTree, node: Node): E.Either<FileFault, TableFile> => {
  if (node.type !== 'array')
    return E.left(fileFault(tree.file, tree.lineOf(node), 'must be an array of rows'))
  const rows = node.children ?? []
  const lineOf = (row: number, field: string): number => {
    const at = rows[row] ?? node
    const property = propertiesOf(at).find(({ name }) => name === field)
    return tree.lineOf(property?.key ?? at)
  }
  return E.right({
    file: tree.file,
    rows: rows.map(jsonValue),
    lineOf,
    faults: rows.flatMap((row) => repeatedNames(tree, row)),
  })
}
