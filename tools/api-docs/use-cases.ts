import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

// Reads the use cases of `createAlmoner` from their types, and writes the lists of docs/use-cases.md. The examples of the page stay as they are.

const ROOT = join(import.meta.dirname, '../..')
const FACADE = join(ROOT, 'packages/domain/src/almoner.ts')
const PAGE = join(ROOT, 'docs/use-cases.md')

/** A use case as the facade offers it. */
export interface UseCase {
  /** Its path after `almoner.`. */
  readonly name: string
  /** The function that makes it, which is exported too. */
  readonly maker: string
  /** The doc comment of the maker. */
  readonly comment: string
  /** The types of its arguments. */
  readonly given: ReadonlyArray<string>
  readonly ports: ReadonlyArray<string>
  /** The tags of its failures. */
  readonly failures: ReadonlyArray<string>
}

const openProgram = () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'packages/domain/tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  )
  const program = ts.createProgram([FACADE], config?.options ?? {})
  return { program, checker: program.getTypeChecker() }
}

const { program, checker } = openProgram()

/** Returns the function `makeX` in `area.makeX(ports, policy)`, however often its result is called. */
const makerOf = (node: ts.Expression): ts.MemberName | undefined => {
  if (ts.isCallExpression(node)) return makerOf(node.expression)
  return ts.isPropertyAccessExpression(node) ? node.name : undefined
}

const commentOf = (maker: ts.Node): string => {
  const symbol = checker.getSymbolAtLocation(maker)
  const origin = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [declaration] = origin?.declarations ?? []
  const statement =
    declaration && ts.isVariableDeclaration(declaration) ? declaration.parent.parent : undefined
  if (statement === undefined) return ''
  const { text } = statement.getSourceFile()
  const [comment] = (ts.getLeadingCommentRanges(text, statement.pos) ?? []).toReversed()
  return comment === undefined ? '' : text.slice(comment.pos, comment.end)
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

/** Failures of the systems behind the ports, which every use case with ports has. */
const SYSTEM = ['Unavailable', 'OutcomeUnknown']

const useCaseOf = (name: string, symbol: ts.Symbol): UseCase => {
  const declaration = symbol.valueDeclaration
  const maker =
    declaration && ts.isPropertyAssignment(declaration) ? makerOf(declaration.initializer) : undefined
  if (maker === undefined) throw new Error(`${name} lacks its maker`)
  const [portsParameter] = checker.getTypeAtLocation(maker).getCallSignatures()[0]?.getParameters() ?? []
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  const ports = portsParameter === undefined ? [] : checker.getTypeOfSymbol(portsParameter).getProperties()
  return {
    name,
    maker: maker.text,
    comment: commentOf(maker),
    given: (signature?.getParameters() ?? []).map((parameter) => argumentOf(parameter, maker.text)),
    ports: ports.map((port) => port.name).toSorted(),
    failures: signature === undefined ? [] : failuresOf(signature.getReturnType()).toSorted(),
  }
}

const useCasesOf = (path: string, type: ts.Type): ReadonlyArray<UseCase> =>
  type.getProperties().flatMap((member) => {
    const name = `${path}${member.name}`
    const memberType = checker.getTypeOfSymbol(member)
    return memberType.getCallSignatures().length > 0
      ? [useCaseOf(name, member)]
      : useCasesOf(`${name}.`, memberType)
  })

/** Returns all use cases of the facade, in order. */
export const useCases = (): ReadonlyArray<UseCase> => {
  const areas = program
    .getSourceFile(FACADE)
    ?.statements.find(
      (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === 'AlmonerAreas',
    )
  if (areas === undefined) throw new Error('AlmonerAreas is missing')
  return useCasesOf('', checker.getTypeAtLocation(areas))
}

const code = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(', ')

const INTRODUCTION = `# Use cases

All use cases of \`createAlmoner\`: the types of their arguments in brackets, the ports they use beside \`clock\`, and after the semicolon the tags of their
failures. \`?\` marks optional arguments; a \`Receipt\` may follow (I4). All that take a \`Caller\` or an \`ActiveSession\` can fail with \`InsufficientScope\` too, and all
whose ports can with \`Unavailable\` and \`OutcomeUnknown\`. The function that makes a use case states units and rules.
`

/** Returns the line of a use case. Throws if the introduction's sentence about its rights is wrong. */
const lineOf = ({ name, given: all, ports: used, failures }: UseCase): string => {
  const ports = used.filter((port) => port !== 'clock')
  const given = all.filter((argument) => !argument.startsWith('Receipt<'))
  const checksRights = given.some((argument) => argument === 'Caller' || argument === 'ActiveSession')
  if (checksRights !== failures.includes('InsufficientScope')) throw new Error(`${name}: InsufficientScope`)
  const special = failures.filter((tag) => tag !== 'InsufficientScope' && !SYSTEM.includes(tag))
  const named = ports.length > 40 ? 'nearly all ports' : code(ports)
  const withPorts = ports.length === 0 ? '' : `: ${named}`
  return `- \`${name}\`${given.length === 0 ? '' : ` (${code(given)})`}${withPorts}${special.length === 0 ? '' : `; ${code(special)}`}`
}

/** Returns the examples of the page by area. */
export const examples = (): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(PAGE, 'utf8').matchAll(/^## (\w+)\n[^#]*?```ts\n([\s\S]*?)```/gm)].map(
      ([, area = '', block = '']) => [area, block],
    ),
  )

/** Returns the page that lists all use cases. */
export const page = (): string => {
  const all = useCases()
  const written = examples()
  const names = [...new Set(all.map(({ name }) => name.replace(/\..*/, '')))]
  const lists = names.map((area) => {
    const rows = all.filter(({ name }) => name.startsWith(`${area}.`))
    const block = `\`\`\`ts\n${written.get(area) ?? ''}\`\`\`\n`
    return `\n## ${area}\n\n${rows.map(lineOf).join('\n')}\n\n${block}`
  })
  return INTRODUCTION + lists.join('')
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, page())
