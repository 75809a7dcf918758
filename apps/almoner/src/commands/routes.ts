import { interfacePathOf, ROUTE_LIST } from '@almoner/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Work } from '../cli/command.ts'
import { table } from '../cli/table.ts'

const ROUTES = ROUTE_LIST.map(({ method, path, access, summary }) => ({
  method,
  path: interfacePathOf(path),
  scope: access,
  summary,
}))

/** `routes`: every route, as the interface writes them, with the scope that each asks for. */
export const printRoutes: Work = () =>
  TE.right({
    text: table(
      ['METHOD', 'PATH', 'SCOPE', 'SUMMARY'],
      ROUTES.map(({ method, path, scope, summary }) => [method, path, scope, summary]),
    ),
    json: ROUTES,
  })
