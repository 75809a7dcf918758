import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import dockerfile from 'dockerfile-utils'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { parseAllDocuments, parseDocument } from 'yaml'
import { run } from '../apps/almoner/src/cli/program.ts'
import { ALL_SETTINGS } from '../apps/almoner/src/config/definitions.ts'
import { type Environment, readSettings } from '../apps/almoner/src/config/read.ts'

// What deploys the service, held to the service: no container and no systemd is needed.

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const manifest = JSON.parse(read('package.json'))
const image = read('Dockerfile')

/** The instructions of the Dockerfile, each as one line, without comments. */
const instructions = image
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')

/** What the last instruction of a name says. */
const last = (name: string): string =>
  instructions.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''

const assignments = (text: string): Environment =>
  Object.fromEntries([...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))

/** Where a path of the image or of the unit is in the repository; empty when it is not from there. */
const inRepository = (path: string): string => /^\/(?:app|opt\/almoner)\/(.+)$/.exec(path)?.[1] ?? ''

t.test('the Dockerfile is valid, and its arguments are literal', async (t) => {
  t.same(dockerfile.validate(image), [])
  t.same(JSON.parse(last('CMD')), ['serve'])
  const [node, ...words] = JSON.parse(last('ENTRYPOINT'))
  const program = words.at(-1)
  t.equal(node, 'node')
  t.ok(existsSync(join(ROOT, inRepository(program))), program)
  t.equal(last('STOPSIGNAL'), 'SIGTERM')
  t.equal(last('USER'), 'node')
})

t.test('the image uses the Node and the pnpm of the workspace', async (t) => {
  const bases = instructions.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1])
  t.match(bases[0], new RegExp(`^node:${manifest.dependencies.node.replaceAll('.', '\\.')}-`))
  t.same(bases.slice(1), ['base', 'base'])
  t.match(image, new RegExp(`npx -y ${manifest.packageManager} install`))
})

t.test('the environment variables of the image are settings', async (t) => {
  const environment = assignments(last('ENV').replaceAll(/ +(?=[A-Z_]+=)/g, '\n'))
  t.ok(E.isRight(readSettings(environment)))
  for (const place of [environment['ALMONER_DATABASE'], environment['ALMONER_MEDIA']])
    t.match(place, new RegExp(`^[a-z]+:${last('VOLUME')}/`))
})

t.test('the health check queries the service, and accepts only success', async (t) => {
  const [, words = '[]'] = /CMD (\[.*\])/.exec(last('HEALTHCHECK')) ?? []
  const [, ...args] = JSON.parse(words)
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health/live' ? status : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const ALMONER_PORT = String((server.address() as AddressInfo).port)
  const ask = (others: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, args, { env: { ...process.env, ALMONER_PORT, ...others } }).then(
      () => 0,
      ({ code }) => code,
    )
  const proxy = 'http://127.0.0.1:1'
  for (const others of [
    {},
    { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy },
    { NODE_OPTIONS: '--use-env-proxy', http_proxy: proxy, https_proxy: proxy },
  ])
    t.equal(await ask(others), 0, JSON.stringify(others))
  status = 503
  t.equal(await ask(), 1)
  const folder = t.testdir({
    'ask.cjs': `require('node:http').get = ({ port }) => process.exit(port === 3000 ? 0 : 2)`,
  })
  const ofService = {
    ALMONER_PORT: 'tcp://10.96.0.12:8080',
    NODE_OPTIONS: `--require=${join(folder, 'ask.cjs')}`,
  }
  t.equal(await ask(ofService), 0, 'the port of a Kubernetes Service is not asked')
})

t.test('files excluded from the image are not needed by the server', async (t) => {
  const allowed = read('.dockerignore').split('\n')
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.json'])
    t.ok(allowed.includes(`!${file}`) && existsSync(join(ROOT, file)), file)
  const sources = ['apps', 'packages']
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/src`))
    .filter((folder) => existsSync(join(ROOT, folder)))
  for (const folder of sources)
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      t.notMatch(path, /(?:^|[/\\])(?:test|dist)(?:[/\\]|$)|\.md$/)
      if (path.endsWith('.ts'))
        t.notMatch(
          read(join(folder, path)),
          /from '@almoner\/(?:postgres-server|push-providers|[a-z-]+\/(?:testing|contracts))/,
        )
    }
})

interface Service {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes?: ReadonlyArray<string>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly build?: { readonly context: string }
}

const compose = parseDocument(read('deploy/compose.yaml'), { merge: true })
const { services, volumes } = compose.toJS() as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
}
const example = assignments(read('deploy/compose.env.example'))

/** A text with what the example says in the place of its variables, or `x` where that leaves it to the reader. */
const filled = (text: string): string =>
  String(text).replaceAll(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, name) => example[name] || 'x')

/** Whether the place that a volume comes from is declared, or is in the repository; one folder is the operator's own. */
const isPlace = (from: string): boolean =>
  from.startsWith('.')
    ? from === './credentials' || existsSync(join(ROOT, 'deploy', from))
    : Object.hasOwn(volumes, from)

t.test('the compose file is valid, and each service has its dependencies and volumes', async (t) => {
  t.same([...compose.errors, ...compose.warnings], [])
  for (const [name, { depends_on = {}, volumes: places = [] }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      t.ok(Object.hasOwn(services, other), `${name} depends on ${other}`)
      t.equal(condition, 'service_healthy')
    }
    for (const place of places) t.ok(isPlace(place.split(':')[0] ?? ''), `${name}: ${place}`)
  }
})

t.test('each service has a pinned version, or is built here, and has a health check', async (t) => {
  for (const [name, { image, healthcheck, build }] of Object.entries(services))
    if (build !== undefined) t.ok(existsSync(join(ROOT, 'deploy', build.context, 'Dockerfile')), name)
    else {
      t.match(image, /:v?\d+\.\d+/, name)
      t.ok(healthcheck !== undefined, name)
    }
})

t.test('the compose file uses only variables of its example', async (t) => {
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  t.same([...new Set(asked)].sort(), Object.keys(example).sort())
})

t.test('the environment variables of the compose file are settings', async (t) => {
  for (const name of ['app-1', 'app-2']) {
    const { environment = {} } = services[name] ?? {}
    const given = Object.entries(environment).map(([key, value]) => [key, filled(value)])
    const settings = readSettings(Object.fromEntries(given))
    t.ok(E.isRight(settings), name)
    if (E.isRight(settings)) t.equal(settings.right.database.kind, 'postgres')
  }
})

t.test(
  'the compose file with a standby names services, variables and settings of the first one',
  async (t) => {
    const text = read('deploy/compose.cluster.yaml')
    const more = parseDocument(text, { merge: true })
    t.same([...more.errors, ...more.warnings], [])
    const added = more.toJS()
    for (const [, name = ''] of text.matchAll(/(?<!\$)\$\{(\w+)/g)) t.ok(Object.hasOwn(example, name), name)
    const names = Object.keys({ ...services, ...added.services })
    for (const { depends_on = {}, configs = [] } of Object.values<Record<string, object>>(added.services)) {
      for (const other of Object.keys(depends_on)) t.ok(names.includes(other), other)
      for (const { source } of Object.values(configs)) t.ok(Object.hasOwn(added.configs, source), source)
    }
    t.equal(added.services.standby.image, services['postgres']?.image)
    for (const [, name = ''] of added.configs.balancer.content.matchAll(/^ +server \S+ ([\w-]+):3000$/gm))
      t.ok(names.includes(name), name)
    const environment = { ...services['app-1']?.environment, ...added.services['app-1'].environment }
    const given = Object.entries(environment).map(([key, value]) => [key, filled(String(value))])
    const settings = readSettings(Object.fromEntries(given))
    t.same(E.isLeft(settings) ? settings.left : settings.right.databaseReads.length, 1)
  },
)

t.test('the manifests of Kubernetes fit each other, the settings and the image', async (t) => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'), { merge: true })
  if (!Array.isArray(documents)) throw new Error('it is empty')
  for (const { errors, warnings } of documents) t.same([...errors, ...warnings], [])
  const all = documents.map((document) => document.toJS())
  const of = (kind: string) => all.find((one) => one.kind === kind)
  const { spec, metadata } = of('Deployment').spec.template
  const [container] = spec.containers
  const given = container.env.map(({ name, value }: Record<string, string>) => [name, value ?? 'x'])
  const settings = readSettings(
    Object.fromEntries([...given, ['AWS_ACCESS_KEY_ID', 'x'], ['AWS_SECRET_ACCESS_KEY', 'x']]),
  )
  t.same(E.isLeft(settings) ? settings.left : settings.right.databaseReads.length, 1)
  const drain = Number(Object.fromEntries(given)['ALMONER_DRAIN'])
  const { readinessProbe: ready, livenessProbe: live } = container
  t.ok(drain > ready.periodSeconds * ready.failureThreshold + ready.timeoutSeconds, 'is noticed as it drains')
  t.ok(spec.terminationGracePeriodSeconds > drain + 10)
  t.same([ready.httpGet.path, live.httpGet.path], ['/health/ready', '/health/live'])
  t.equal(String(container.ports[0].containerPort), last('EXPOSE'))
  for (const selector of [of('Service').spec.selector, of('PodDisruptionBudget').spec.selector.matchLabels])
    t.same(selector, metadata.labels)
  t.not(of('Service').metadata.name, 'almoner', 'its address would be in ALMONER_PORT')
  for (const host of ['rw', 'ro'])
    t.match(JSON.stringify(container.env), `@${of('Cluster').metadata.name}-${host}:5432/`)
})

const unit = Object.fromEntries(
  [...read('deploy/almoner.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
)

t.test('the systemd unit starts an existing file, with the right timeouts', async (t) => {
  for (const path of [...unit['ExecStart'].split(' '), unit['Documentation'].replace('file://', '')])
    if (path.startsWith('/')) t.ok(existsSync(join(ROOT, inRepository(path))), path)
  t.equal(unit['ExecReload'], '/bin/kill -USR2 $MAINPID')
  t.ok(Number(unit['TimeoutStopSec']) > 60 + 10)
})

t.test('the example of its environment is valid, with and without the commented lines', async (t) => {
  const text = read('deploy/almoner.env.example')
  for (const lines of [text, text.replaceAll(/^#(?=[A-Z_]+=)/gm, '')]) {
    const settings = readSettings(assignments(lines))
    t.same(E.isLeft(settings) ? settings.left : [], [])
  }
})

const DOCUMENTS = ['docs/deployment.md', 'docs/scaling.md']
const RULES = 'deploy/prometheus/almoner.rules.yml'
const DEPLOYING = [
  'Dockerfile',
  ...readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name))),
]

t.test('every setting that the documents name exists', async (t) => {
  const names = ALL_SETTINGS.map(({ name }) => String(name))
  for (const path of [...DOCUMENTS, ...DEPLOYING])
    for (const [name] of read(path).matchAll(/\bALMONER_[A-Z_]*[A-Z]\b/g))
      t.ok(names.includes(name), `${path}: ${name}`)
})

t.test('every command that the documents name exists', async (t) => {
  const helpOf = async (...words: ReadonlyArray<string>): Promise<string> => {
    const lines: Array<string> = []
    await run([...words, '--help'], {
      environment: {},
      input: async () => '',
      out: async (line) => void lines.push(line),
      err: () => {},
      isTerminal: false,
    })
    return lines.join('')
  }
  for (const path of [...DOCUMENTS, RULES])
    for (const [, command = '', word] of read(path).matchAll(
      /`(?:pnpm )?almoner ([a-z]+)(?: ([a-z]+))?|^(?:\S+ )*almoner ([a-z]+)/gm,
    )) {
      if (command === '') continue
      const help = await helpOf(command)
      t.match(help, new RegExp(`^Usage: almoner ${command}`), `${path}: ${command}`)
      if (word !== undefined) t.match(help, new RegExp(`^ {2}${word}\\b`, 'm'), `${path}: ${command} ${word}`)
    }
})

t.test('every file that the documents and the files of deploy name exists', async (t) => {
  for (const path of DOCUMENTS)
    for (const [, link = ''] of read(path).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      t.ok(existsSync(join(ROOT, path, '..', link)), `${path}: ${link}`)
  for (const path of [...DOCUMENTS, ...DEPLOYING])
    for (const [file] of read(path).matchAll(
      /(?<![\w/.-])(?:docs|deploy|tools|test|packages|apps)\/[\w./-]*\w\.(?:ts|md|ya?ml|json|service|toml|example)/g,
    ))
      t.ok(existsSync(join(ROOT, file)), `${path}: ${file}`)
})
