import t from 'tap'
import { interfacePathOf, ROUTE_LIST } from '../../src/index.ts'
import { startFixture } from '../support/fixture.ts'

// The list of routes against the interface's tables, written out here so that a slip in the code's own list shows.

type Row = readonly [from: string, method: string, path: string, scope: string]

/** The interface's endpoint tables, and the forms that its paragraphs add, each with its section. */
const INTERFACE: ReadonlyArray<Row> = [
  ['Library', 'GET', '/library/', 'user'],
  ['Library', 'GET', '/library/<itemId>', 'user'],
  ['Library', 'POST', '/library/', 'content-manager'],
  ['Library', 'POST', '/library/<itemId>', 'content-manager'],
  ['Library', 'POST', '/library/<itemId>/media/(cover|notification)', 'content-manager'],
  ['Library', 'DELETE', '/library/<itemId>/media/(cover|notification)', 'content-manager'],
  ['Library', 'GET', '/library/label', 'user'],
  ['Library, labels', 'GET', '/library/label/<labelId>', 'user'],
  ['Library', 'GET', '/library/<itemId>/label', 'user'],
  ['Library', 'POST', '/library/<itemId>/label', 'content-manager'],
  ['Library', 'DELETE', '/library/<itemId>/label/<labelId>', 'content-manager'],
  ['Feed', 'GET', '/feed/', 'user'],
  ['Feed', 'GET', '/feed/<itemId>', 'user'],
  ['Feed', 'POST', '/feed/', 'user-donor'],
  ['Feed', 'POST', '/feed/<itemId>', 'content-manager'],
  ['Feed', 'POST', '/feed/<itemId>/media', 'user'],
  ['Feed', 'DELETE', '/feed/<itemId>/media/', 'content-manager'],
  ['Feed', 'GET', '/feed/label', 'user'],
  ['Feed, labels as in the library', 'GET', '/feed/label/<labelId>', 'user'],
  ['Feed', 'GET', '/feed/<itemId>/label', 'user'],
  ['Feed', 'POST', '/feed/<itemId>/label', 'content-manager'],
  ['Feed', 'DELETE', '/feed/<itemId>/label/<labelId>', 'content-manager'],
  ['User notification token', 'GET', '/user/<email>/notification/token', 'user-donor'],
  ['User notification token', 'POST', '/user/<email>/notification/token', 'user-donor'],
  ['User notification token', 'DELETE', '/user/<email>/notification/token/<token>', 'user-donor'],
  ['Notification', 'GET', '/notification', 'content-manager'],
  ['Notification', 'GET', '/notification/<notificationId>', 'content-manager'],
  ['Notification', 'POST', '/notification', 'content-manager'],
  ['Notification', 'DELETE', '/notification/<notificationId>', 'content-manager'],
  ['Portfolio', 'GET', '/portfolio/', 'user'],
  ['Portfolio', 'GET', '/portfolio/sector', 'user'],
  ['Portfolio', 'GET', '/portfolio/sector/<sectorId>', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/sector', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/sector', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/introduction', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/introduction', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/summary', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/summary', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/program', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/program', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/challenge', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/challenge', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/datasets', 'user'],
  ['Portfolio', 'GET', '/portfolio/organization/<organizationId>/datasets', 'user'],
  ['Authentication', 'POST', '/oauth2/get-token', 'client'],
]

/** Routes that the rulings add. */
const EXTENSIONS: ReadonlyArray<Row> = [
  ['F2', 'GET', '/user/<email>/notification/preference', 'user-donor'],
  ['F2', 'PUT', '/user/<email>/notification/preference', 'user-donor'],
  ['J7', 'PUT', '/library/<itemId>/translation', 'content-manager'],
  ['J7', 'DELETE', '/library/<itemId>/translation', 'content-manager'],
  ['L1', 'DELETE', '/user/<email>', 'user-donor'],
  ['L3', 'GET', '/user/<email>/feed', 'user-donor'],
  ['F7', 'GET', '/user/<email>/notification/inbox', 'user'],
  ['F7', 'PUT', '/user/<email>/notification/inbox/<id>/seen', 'user'],
  ['G7', 'GET', '/notification/<notificationId>/delivery', 'content-manager'],
  ['G13', 'POST', '/notification/<notificationId>', 'content-manager'],
  ...['library', 'feed'].flatMap(
    (type): ReadonlyArray<Row> => [
      ['K2', 'GET', `/${type}/<itemId>/history`, 'content-manager'],
      ['K2', 'POST', `/${type}/<itemId>/history/<number>/restore`, 'content-manager'],
    ],
  ),
  ['N1', 'GET', '/changes', 'user'],
  ['A6', 'POST', '/oauth2/revoke', 'client'],
  ['A4, RFC 8414', 'GET', '/.well-known/oauth-authorization-server', 'none'],
  ['D2', 'GET', '/static/media/*', 'none'],
  ['H1', 'GET', '/static/portfolio/*', 'none'],
  ['I3', 'GET', '/openapi.json', 'none'],
  ['I3', 'GET', '/docs', 'none'],
  ['I3', 'GET', '/health/live', 'none'],
  ['I3', 'GET', '/health/ready', 'none'],
  ['I3', 'GET', '/metrics', 'none'],
]

/** Segments whose name in the interface differs from that of their parameter. */
const PARAMETER: Readonly<Record<string, string>> = { notificationId: 'id', organizationId: 'id' }

/** Normalises a path: without the trailing slash (B3) and the interface's names of segments. */
const bare = (path: string): string =>
  path.replaceAll(/<(\w+)>/g, (_, name: string) => `<${PARAMETER[name] ?? name}>`).replace(/(?<=.)\/$/, '')

const wanted = [...INTERFACE, ...EXTENSIONS].map(
  ([, method, path, scope]) => `${method} ${bare(path)} ${scope}`,
)
const listed = ROUTE_LIST.map(
  ({ method, path, access }) => `${method} ${bare(interfacePathOf(path))} ${access}`,
)

const without = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  some.filter((one) => !others.includes(one))

t.test('interface, endpoints: every row of its tables is a route with the scope of the row', async (t) => {
  for (const [from, method, path, scope] of [...INTERFACE, ...EXTENSIONS])
    t.ok(listed.includes(`${method} ${bare(path)} ${scope}`), `${from}: ${method} ${path} (${scope})`)
})

t.test('interface, endpoints: there are no other routes, and none twice', async (t) => {
  t.strictSame(without(listed, wanted), [])
  t.equal(new Set(listed).size, listed.length)
  t.equal(new Set(wanted).size, wanted.length)
})

t.test('B3: OPTIONS of every listed path names its methods', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const { method, path } of ROUTE_LIST) {
    const address = interfacePathOf(path)
      .replaceAll(/<\w+>/g, 'x')
      .replace('*', 'logo/x')
      .replace(/\((\w+)\|\w+\)/, '$1')
    const answer = await fixture.call('OPTIONS', address)
    t.ok(answer.headers.get('allow')?.split(', ').includes(method), `${method} ${address}`)
  }
})
