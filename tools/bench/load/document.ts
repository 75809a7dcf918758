import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DOCS = join(import.meta.dirname, '../../../docs')
const DOCUMENT = join(DOCS, 'performance.md')
const CHART = join(DOCS, 'performance.svg')

/** Puts a text between a document's markers of a name, and keeps all else. */
export const between = (document: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the document has no place for ${name}`)
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`
}

/** Rewrites what a name's markers in docs/performance.md hold. */
export const rewrite = async (name: string, text: string): Promise<void> =>
  writeFile(DOCUMENT, between(await readFile(DOCUMENT, 'utf8'), name, text))

/** Writes the figures and their chart into the docs. */
export const writeDocument = async (markdown: string, chart: string): Promise<void> => {
  await rewrite(
    'figures',
    `![How the service compares with its counterparts](performance.svg)\n\n${markdown}`,
  )
  await writeFile(CHART, chart)
}
