import { ListProviders, PauseProvider, type ProviderState, ResumeProvider } from '@almoner/domain/delivery'
import { type AuditCursor, type AuditRecord, encodeAuditCursor, ListAudit } from '@almoner/domain/history'
import { ListFindings, ShowFigures, ShowStatistics } from '@almoner/domain/operations'
import { asJson, json, many } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { AuditJson, encodeAudit } from '../../serializers/history.ts'
import {
  encodeFigures,
  encodeFinding,
  encodeProvider,
  encodeStatistics,
  FiguresJson,
  FindingJson,
  ProviderJson,
  StatisticsJson,
} from '../../serializers/operations.ts'
import type { Services } from '../../services.ts'

const route = routeOf('Operations')

const OPERATOR = { access: 'operate' } as const

const PROVIDERS = {
  ...OPERATOR,
  response: { kind: 'collection', key: 'providers', codec: ProviderJson, paged: false },
} as const

const providers = (states: ReadonlyArray<ProviderState>) => json({ providers: states.map(encodeProvider) })

const records = ({ ports: { mediaAddresses } }: Services) =>
  many<AuditRecord, AuditCursor>({
    key: 'audit',
    text: asJson(encodeAudit(mediaAddresses)),
    encodeCursor: encodeAuditCursor,
  })

/** What operators watch and do (G5, I3, K4). */
export const OPERATION_ROUTES: ReadonlyArray<Route> = [
  route({
    ...OPERATOR,
    method: 'GET',
    path: '/findings',
    name: 'listFindings',
    summary: 'List what the checks of the service find.',
    parameters: ListFindings,
    response: { kind: 'collection', key: 'findings', codec: FindingJson, paged: false },
    handle: (services) =>
      call(services.operations.findings, (findings) => json({ findings: findings.map(encodeFinding) })),
  }),
  route({
    ...PROVIDERS,
    method: 'GET',
    path: '/providers',
    name: 'listProviders',
    summary: 'List the push providers and whether they are paused.',
    parameters: ListProviders,
    handle: (services) => call(services.operations.providers, providers),
  }),
  route({
    ...PROVIDERS,
    method: 'PUT',
    path: '/providers/:provider/pause',
    name: 'pauseProvider',
    summary: 'Pause a push provider until an operator resumes it.',
    parameters: PauseProvider,
    handle: (services) => call(services.operations.pauseProvider, providers),
  }),
  route({
    ...PROVIDERS,
    access: 'resumeProvider',
    method: 'DELETE',
    path: '/providers/:provider/pause',
    name: 'resumeProvider',
    summary: 'End the pause of a push provider.',
    parameters: ResumeProvider,
    handle: (services) => call(services.operations.resumeProvider, providers),
  }),
  route({
    ...OPERATOR,
    method: 'GET',
    path: '/statistics',
    name: 'showStatistics',
    summary: 'Count content, devices, and the deliveries of 30 days.',
    parameters: ShowStatistics,
    response: { kind: 'one', codec: StatisticsJson },
    handle: (services) => call(services.operations.statistics, (report) => json(encodeStatistics(report))),
  }),
  route({
    ...OPERATOR,
    method: 'GET',
    path: '/figures',
    name: 'showFigures',
    summary: 'Show what the service does now.',
    parameters: ShowFigures,
    response: { kind: 'one', codec: FiguresJson },
    handle: (services) => call(services.operations.figures, (figures) => json(encodeFigures(figures))),
  }),
  route({
    ...OPERATOR,
    method: 'GET',
    path: '/audit',
    name: 'listAudit',
    summary: 'List the records of changes, the latest first.',
    parameters: ListAudit,
    response: { kind: 'collection', key: 'audit', codec: AuditJson, paged: true },
    handle: (services) => call(services.operations.audit, records(services)),
  }),
]
