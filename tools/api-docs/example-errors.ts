import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { examples } from './use-cases.ts'

const VALUES = join(import.meta.dirname, 'example-values.ts')
/** A file that exists in memory only, beside the one whose imports it repeats. */
const EXAMPLES = join(import.meta.dirname, 'examples.ts')

/** Returns each example of the page as a block of one function. */
const asFunction = (): string => {
  const blocks = [...examples().values()].flatMap((block) => block.split('\n\n'))
  return `export const examples = async (): Promise<void> => {\n${blocks.map((block) => `{\n${block}}\n`).join('')}}\n`
}

/** Returns the type errors in the examples of docs/use-cases.md. */
export const exampleErrors = (): ReadonlyArray<string> => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  }
  const text = `${readFileSync(VALUES, 'utf8')}\n${asFunction()}`
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === EXAMPLES || fileExists(path)
  host.getSourceFile = (path, languageVersion, ...rest) =>
    path === EXAMPLES
      ? ts.createSourceFile(path, text, languageVersion)
      : getSourceFile(path, languageVersion, ...rest)
  const program = ts.createProgram([EXAMPLES], options, host)
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(EXAMPLES))
    .map(({ messageText, start = 0 }) => {
      const line = text.slice(text.lastIndexOf('\n', start - 1) + 1).split('\n')[0] ?? ''
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
}
