import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

// Reads the use cases of `createAlmoner` from their types, and writes what follows from the types: the table in docs/use-cases.md and the
// failures in the doc comments of the areas.

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'packages/domain/src/almoner')
const PAGE = join(ROOT, 'docs/use-cases.md')
const WIDTH = 130

/** A use case as the facade offers it. */
export interface UseCase {
  /** Its path after `almoner.`. */
  readonly name: string
  /** The function that makes it, which is exported too. */
  readonly maker: string
  /** The types of its arguments. */
  readonly given: ReadonlyArray<string>
  readonly ports: ReadonlyArray<string>
  /** The tags of its failures. */
  readonly failures: ReadonlyArray<string>
  /** The file of its doc comment, and where in the file the comment is. */
  readonly comment: { readonly file: string; readonly from: number; readonly to: number }
}

const openProgram = () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'packages/domain/tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  )
  const program = ts.createProgram([join(FOLDER, 'index.ts')], config?.options ?? {})
  return { program, checker: program.getTypeChecker() }
}

const { program, checker } = openProgram()

const membersOf = (type: ts.Type): ReadonlyArray<ts.Symbol> => type.getProperties()

/** Returns the name of the function in `ReturnType<typeof makeX>`, however often it is nested. */
const makerOf = (node: ts.TypeNode | undefined): ts.Identifier | undefined => {
  if (node === undefined) return undefined
  if (ts.isTypeQueryNode(node)) return ts.isIdentifier(node.exprName) ? node.exprName : undefined
  return ts.isTypeReferenceNode(node) ? makerOf(node.typeArguments?.[0]) : undefined
}

const failuresOf = (task: ts.Type): ReadonlyArray<string> => {
  const promise = task.getCallSignatures()[0]?.getReturnType()
  const either = promise === undefined ? undefined : checker.getAwaitedType(promise)
  const sides = either?.isUnion() ? either.types : []
  const left = sides.flatMap((side) => {
    const symbol = side.getProperty('left')
    return symbol === undefined ? [] : [checker.getTypeOfSymbol(symbol)]
  })
  const tags = left
    .flatMap((type) => (type.isUnion() ? type.types : [type]))
    .flatMap((failure) => {
      const tag = failure.getProperty('_tag')
      return tag === undefined ? [] : [checker.getTypeOfSymbol(tag)]
    })
  return tags.flatMap((tag) => (tag.isStringLiteral() ? [tag.value] : []))
}

const argumentOf = (parameter: ts.Symbol, maker: string): string => {
  const declaration = parameter.valueDeclaration
  if (declaration === undefined || !ts.isParameter(declaration)) return '?'
  const text = declaration.type?.getText() ?? '?'
  // Lists of the portfolio share a generic function: the type of their input has the name of the operation.
  const named = text === 'Asked' ? maker.replace(/^make/, '') : text
  const isOptional = declaration.questionToken !== undefined || declaration.initializer !== undefined
  return `${named.replaceAll(/\s+/g, ' ').replaceAll('|', 'or')}${isOptional ? '?' : ''}`
}

/** Failures of the systems behind the ports come last, because nearly every use case has them. */
const SYSTEM = ['Unavailable', 'OutcomeUnknown']

const inOrder = (failures: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = failures.filter((tag) => !SYSTEM.includes(tag))
  return [...own.toSorted(), ...SYSTEM.filter((tag) => failures.includes(tag))]
}

const useCaseOf = (name: string, symbol: ts.Symbol): UseCase => {
  const declaration = symbol.valueDeclaration
  if (declaration === undefined || !ts.isPropertySignature(declaration)) throw new Error(name)
  const maker = makerOf(declaration.type)
  const [comment] = ts.getLeadingCommentRanges(declaration.getSourceFile().text, declaration.pos) ?? []
  if (maker === undefined || comment === undefined) throw new Error(`${name} lacks its maker or its comment`)
  const makerType = checker.getTypeAtLocation(maker)
  const [portsParameter] = makerType.getCallSignatures()[0]?.getParameters() ?? []
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  return {
    name,
    maker: maker.text,
    given: (signature?.getParameters() ?? []).map((parameter) => argumentOf(parameter, maker.text)),
    ports:
      portsParameter === undefined
        ? []
        : membersOf(checker.getTypeOfSymbol(portsParameter))
            .map(({ name }) => name)
            .toSorted(),
    failures: signature === undefined ? [] : inOrder(failuresOf(signature.getReturnType())),
    comment: { file: declaration.getSourceFile().fileName, from: comment.pos, to: comment.end },
  }
}

const useCasesOf = (path: string, type: ts.Type): ReadonlyArray<UseCase> =>
  membersOf(type).flatMap((member) => {
    const name = `${path}${member.name}`
    const memberType = checker.getTypeOfSymbol(member)
    return memberType.getCallSignatures().length > 0
      ? [useCaseOf(name, member)]
      : useCasesOf(`${name}.`, memberType)
  })

const areas = (): ts.Type => {
  const source = program.getSourceFile(join(FOLDER, 'create-almoner.ts'))
  const found = source?.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'AlmonerAreas',
  )
  if (found === undefined) throw new Error('AlmonerAreas is missing')
  return checker.getTypeAtLocation(found)
}

/** Returns all use cases of the facade, in order. */
export const useCases = (): ReadonlyArray<UseCase> => useCasesOf('', areas())

const code = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(', ')

const INTRODUCTION = `# Use cases

All use cases of \`createAlmoner\`, with the types of their arguments, the ports they use and the tags of their failures. A use case that checks
its caller takes a \`Caller\` first. \`?\` marks optional arguments. The doc comment of each method states its units and rules.
This page is generated from the types: \`node tools/api-docs/use-cases.ts\` updates it, together with the failures in the doc comments.
`

/** Returns the page that lists all use cases. */
export const page = (): string => {
  const all = useCases()
  const names = [...new Set(all.map(({ name }) => name.replace(/\..*/, '')))]
  const tables = names.map((area) => {
    const rows = all.filter(({ name }) => name.startsWith(`${area}.`))
    const lines = rows.map(
      ({ name, given, ports, failures }) =>
        `| \`${name}\` | ${code(given) || '–'} | ${code(ports)} | ${code(failures)} |`,
    )
    return `\n## ${area}\n\n| \`almoner.\` | arguments | ports | failures |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`
  })
  return INTRODUCTION + tables.join('')
}

const wrapped = (sentence: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `   * ${last} ${word}`.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const failsWith = (failures: ReadonlyArray<string>): string => {
  const last = failures.at(-1) ?? ''
  return failures.length < 2
    ? `Fails with ${last}.`
    : `Fails with ${failures.slice(0, -1).join(', ')} or ${last}.`
}

/** Returns the files of the areas as they should be: each doc comment names the failures of the type, before its example. */
export const commented = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const written = new Set<string>()
  for (const { comment, failures } of useCases().toReversed()) {
    const { file, from, to } = comment
    if (written.has(`${file}:${from}`)) continue
    written.add(`${file}:${from}`)
    const text = files.get(file) ?? readFileSync(file, 'utf8')
    const [body = ''] = text.slice(from, to).split(/\n +\* Fails with|\n +\*\n +\* @example|\n +\*\//)
    const [example = '\n   */'] = /\n +\*\n +\* @example[\s\S]*/.exec(text.slice(from, to)) ?? []
    const lines = wrapped(failsWith(failures)).map((line) => `\n   * ${line}`)
    files.set(file, `${text.slice(0, from)}${body}${lines.join('')}${example}${text.slice(to)}`)
  }
  return files
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(PAGE, page())
  for (const [file, text] of commented()) writeFileSync(file, text)
}
