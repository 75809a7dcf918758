import type { Command } from '../cli/command.ts'
import { table } from '../cli/table.ts'
import { openApiDocument, routeList } from '../composition/api.ts'

const printOpenApi: Command = {
  usage: 'openapi',
  summary: 'print the OpenAPI document',
  async run({ service }) {
    const json = openApiDocument(service.address.baseUrl())
    return { text: JSON.stringify(json, null, 2), json }
  },
}

const printRoutes: Command = {
  usage: 'routes',
  summary: 'list the routes of the API',
  async run() {
    const json = routeList()
    const rows = json.map(({ method, path, scope, summary }) => [method, path, scope, summary])
    return { text: table(['METHOD', 'PATH', 'SCOPE', 'SUMMARY'], rows), json }
  },
}

export const API_COMMANDS: ReadonlyArray<Command> = [printRoutes, printOpenApi]
