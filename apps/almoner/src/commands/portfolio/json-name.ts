import { fileFault } from './file-fault.ts'
import { type JsonTree, jsonValue, propertiesOf, repeatedNames } from './json-tree.ts'
import type { NamePlace, PortfolioFiles } from './portfolio-files.ts'

/** The name of a portfolio in an object of JSON, and a fault for every other property but those that `isKnown` knows. */
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
  const strangers = properties
    .filter((property) => property.name !== 'name' && !isKnown(property.name))
    .map((property) => fileFault(file, lineOf(property.key), `${property.name} ${stranger}`))
  return { name, faults: [...strangers, ...repeatedNames(tree, root)] }
}
