import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const FACADE = join(import.meta.dirname, '../../packages/domain/src/almoner')
const VALUES = join(import.meta.dirname, 'example-values.ts')
/** A file that exists in memory only, beside the one whose imports it repeats. */
const EXAMPLES = join(import.meta.dirname, 'examples.ts')

/** Returns the examples in the doc comments of the facade as one function. */
const examples = (): string => {
  const files = readdirSync(FACADE).map((file) => readFileSync(join(FACADE, file), 'utf8'))
  const blocks = files.flatMap((text) => [...text.matchAll(/@example\n +\* ```ts\n([\s\S]*?) +\* ```/g)])
  const bodies = blocks.map(([, block = '']) => `{\n${block.replaceAll(/^ +\* /gm, '')}}\n`)
  return `export const examples = async (): Promise<void> => {\n${bodies.join('')}}\n`
}

/** Returns the type errors in the examples of the facade's doc comments. */
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
  const text = `${readFileSync(VALUES, 'utf8')}\n${examples()}`
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
