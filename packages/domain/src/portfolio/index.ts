/**
 * The organizations that the foundation supports, and reading them from files.
 * @module @almoner/domain/portfolio
 */

export * from './changes.ts'
export {
  type DraftFiles,
  draftOf,
  type ImageResult,
  MOST_NAMED,
  type NamedImage,
  type PlanSummary,
  type PortfolioDraft,
  TABLE_LOADS,
  type TableLoad,
  type TableLoads,
  type UploadRefused,
} from './draft.ts'
export * from './finding.ts'
export * from './lists.ts'
export * from './loading.ts'
export * from './messages.ts'
export * from './model.ts'
export { type FilePortfolio, readPortfolio } from './reading.ts'
export * from './replacing.ts'
export {
  columnsOf,
  type FilePlace,
  type FileRow,
  fileRow,
  firstOf,
  inFile,
  PORTFOLIO_LIMITS,
  PORTFOLIO_TABLES,
  type PortfolioFault,
  type PortfolioFaults,
  type PortfolioRefused,
  type PortfolioRow,
  type PortfolioSource,
  type PortfolioTable,
  portfolioRefused,
  READING_STOPPED,
  ROWS,
  rowFault,
  SectorsRow,
} from './source.ts'
export {
  FINDING_KINDS,
  FINDING_SUBJECTS,
  type FindingKind,
  ListTextFindings,
  makeCheckTexts,
  makeListTextFindings,
  type NamedTextFinding,
  namedTextFindings,
  namingFindings,
  type TextFinding,
  type TextFindingList,
  textFindingPieces,
  textFindings,
} from './text-findings.ts'
export {
  type ExportedFile,
  type ExportedPortfolio,
  ExportPortfolio,
  makeExportPortfolio,
  portfolioFiles,
  type Separator,
} from './writing.ts'
