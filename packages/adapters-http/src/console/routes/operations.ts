import { ListDeadLinks, ListOlder } from '@almoner/domain/content'
import { ListProviders, PauseProvider, type ProviderState, ResumeProvider } from '@almoner/domain/delivery'
import { type AuditCursor, type AuditRecord, encodeAuditCursor, ListAudit } from '@almoner/domain/history'
import { ListPeople } from '@almoner/domain/managers'
import {
  ListFindings,
  ListTitles,
  ShowDesk,
  ShowFigures,
  ShowPublished,
  ShowResults,
  ShowStatistics,
} from '@almoner/domain/operations'
import { asJson, json, many } from '../../responses/headers.ts'
import { call, type Route, routeOf, type Services } from '../../route.ts'
import { AuditJson, encodeAudit, encodeOlder, OlderJson } from '../../serializers/history.ts'
import { encodePerson, PersonJson } from '../../serializers/managers.ts'
import {
  DeadLinkJson,
  DeskJson,
  encodeDeadLink,
  encodeDesk,
  encodeFigures,
  encodeFinding,
  encodeProvider,
  encodeStatistics,
  encodeTitle,
  FiguresJson,
  FindingJson,
  ProviderJson,
  StatisticsJson,
  TitleJson,
} from '../../serializers/operations.ts'
import { encodePublished, encodeResults, PublishedJson, ResultsJson } from '../../serializers/results.ts'

const operationsRoute = routeOf('Operations')

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
  operationsRoute({
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
  operationsRoute({
    ...PROVIDERS,
    method: 'GET',
    path: '/providers',
    name: 'listProviders',
    summary: 'List the push providers and whether they are paused.',
    parameters: ListProviders,
    handle: (services) => call(services.operations.providers, providers),
  }),
  operationsRoute({
    ...PROVIDERS,
    method: 'PUT',
    path: '/providers/:provider/pause',
    name: 'pauseProvider',
    summary: 'Pause a push provider until an operator resumes it.',
    parameters: PauseProvider,
    handle: (services) => call(services.operations.pauseProvider, providers),
  }),
  operationsRoute({
    ...PROVIDERS,
    access: 'resumeProvider',
    method: 'DELETE',
    path: '/providers/:provider/pause',
    name: 'resumeProvider',
    summary: 'End the pause of a push provider.',
    parameters: ResumeProvider,
    handle: (services) => call(services.operations.resumeProvider, providers),
  }),
  operationsRoute({
    ...OPERATOR,
    method: 'GET',
    path: '/statistics',
    name: 'showStatistics',
    summary: 'Count content, devices, and the deliveries of 30 days.',
    parameters: ShowStatistics,
    response: { kind: 'one', codec: StatisticsJson },
    handle: (services) => call(services.operations.statistics, (report) => json(encodeStatistics(report))),
  }),
  operationsRoute({
    ...OPERATOR,
    method: 'GET',
    path: '/figures',
    name: 'showFigures',
    summary: 'Show what the service does now.',
    parameters: ShowFigures,
    response: { kind: 'one', codec: FiguresJson },
    handle: (services) => call(services.operations.figures, (figures) => json(encodeFigures(figures))),
  }),
  operationsRoute({
    ...OPERATOR,
    method: 'GET',
    path: '/audit',
    name: 'listAudit',
    summary: 'List the records of changes, the latest first.',
    parameters: ListAudit,
    response: { kind: 'collection', key: 'audit', codec: AuditJson, paged: true },
    handle: (services) => call(services.operations.audit, records(services)),
  }),
  operationsRoute({
    ...OPERATOR,
    method: 'GET',
    path: '/titles',
    name: 'listTitles',
    summary: 'List the titles of the entries and notifications that records of changes name.',
    parameters: ListTitles,
    response: { kind: 'collection', key: 'titles', codec: TitleJson, paged: false },
    handle: (services) =>
      call(services.operations.titles, (titles) => json({ titles: titles.map(encodeTitle) })),
  }),
]

const deskRoute = routeOf('Desk')

/** What waits for content managers, and their names. */
export const DESK_ROUTES: ReadonlyArray<Route> = [
  deskRoute({
    method: 'GET',
    path: '/desk',
    name: 'showDesk',
    summary: 'Show what waits: posts, translations, proposals, notifications of today and failed ones.',
    access: 'showDesk',
    parameters: ShowDesk,
    response: { kind: 'one', codec: DeskJson },
    handle: (services) => call(services.console.showDesk, (desk) => json(encodeDesk(desk))),
  }),
  deskRoute({
    method: 'GET',
    path: '/older',
    name: 'listOlder',
    summary:
      'List those of some publications that are older than their counterparts, with the words that changed there.',
    access: 'linkTranslation',
    parameters: ListOlder,
    response: { kind: 'collection', key: 'publications', codec: OlderJson, paged: false },
    handle: (services) =>
      call(services.console.listOlder, (found) => json({ publications: found.map(encodeOlder) })),
  }),
  deskRoute({
    method: 'GET',
    path: '/dead-links',
    name: 'listDeadLinks',
    summary: 'List the dead links of Live entries, 500 at most.',
    access: 'listDeadLinks',
    parameters: ListDeadLinks,
    response: { kind: 'collection', key: 'links', codec: DeadLinkJson, paged: false },
    handle: (services) =>
      call(services.console.listDeadLinks, (links) => json({ links: links.map(encodeDeadLink) })),
  }),
  deskRoute({
    method: 'GET',
    path: '/published',
    name: 'showPublished',
    summary: 'Count the Live entries of the last twelve months by language, the oldest month first.',
    access: 'showDesk',
    parameters: ShowPublished,
    response: { kind: 'one', codec: PublishedJson },
    handle: (services) => call(services.console.showPublished, (months) => json(encodePublished(months))),
  }),
  deskRoute({
    method: 'GET',
    path: '/results',
    name: 'showResults',
    summary:
      'Count what was published and sent in each of the last 36 months, the oldest first, and devices and people as they are now.',
    access: 'showDesk',
    parameters: ShowResults,
    response: { kind: 'one', codec: ResultsJson },
    handle: (services) => call(services.console.showResults, (results) => json(encodeResults(results))),
  }),
  deskRoute({
    method: 'GET',
    path: '/people',
    name: 'listPeople',
    summary: 'List the names of managers by the numbers that the history uses.',
    access: 'listPeople',
    parameters: ListPeople,
    response: { kind: 'collection', key: 'people', codec: PersonJson, paged: false },
    handle: (services) =>
      call(services.console.listPeople, (people) => json({ people: people.map(encodePerson) })),
  }),
]
