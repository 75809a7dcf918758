import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { FileError, type FileFault, fileFault } from './file-fault.ts'

/** JSON with the places of its values. */
export interface JsonTree {
  readonly file: string
  readonly root: Node
  /** The line of a value, from 1. */
  readonly lineOf: (node: Node) => number
}

/** Gives the line of a place in a text, from 1. */
const linesOf = (text: string): ((offset: number) => number) => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Parses JSON as RFC 8259 defines it, without comments. Throws {@link FileError} at the first syntax error. */
export const readJson = (file: string, text: string): JsonTree => {
  const errors: Array<ParseError> = []
  const lineAt = linesOf(text)
  const root = parseTree(text, errors, { disallowComments: true })
  const [error] = errors
  if (error !== undefined) {
    const words = printParseErrorCode(error.error)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
    throw new FileError(file, lineAt(error.offset), `is no JSON from here on: ${words}`)
  }
  if (root === undefined) throw new FileError(file, 1, 'is empty')
  return { file, root, lineOf: ({ offset }) => lineAt(offset) }
}

/** A property of an object. */
export interface Property {
  readonly name: string
  readonly key: Node
  readonly value: Node
}

/** The properties of an object, as they come; none of anything else. */
export const propertiesOf = (node: Node): ReadonlyArray<Property> =>
  node.type === 'object'
    ? (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
        key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
      )
    : []

/** The value that a node stands for; of a name that an object repeats, the last counts. */
export const jsonValue = (node: Node): unknown => {
  if (node.type === 'array') return (node.children ?? []).map(jsonValue)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(propertiesOf(node).map(({ name, value }) => [name, jsonValue(value)]))
}

/** A fault for every name that an object has twice. */
export const repeatedNames = ({ file, lineOf }: JsonTree, node: Node): ReadonlyArray<FileFault> => {
  const seen = new Set<string>()
  return propertiesOf(node).flatMap(({ name, key }) => {
    if (seen.has(name)) return [fileFault(file, lineOf(key), `${name} is given twice`)]
    seen.add(name)
    return []
  })
}
