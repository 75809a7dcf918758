import { openApiDocument as documentOf, interfacePathOf, ROUTE_LIST } from '@almoner/adapters-http'
import manifest from '../../package.json' with { type: 'json' }

/** Makes the OpenAPI document of this program. */
export const openApiDocument = (baseUrl: string): ReturnType<typeof documentOf> =>
  documentOf(manifest.version, baseUrl)

/** Returns all routes of the API. */
export const routeList = () =>
  ROUTE_LIST.map(({ method, path, access, summary }) => ({
    method,
    path: interfacePathOf(path),
    scope: access,
    summary,
  }))
