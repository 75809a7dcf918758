/**
 * Files that a service is filled from: a portfolio in a folder or a file, users in CSV, any text.
 * @module @almoner/adapters-node/files
 */

export { type FileFault, type FilesRefused, filesRefused } from './file-fault.ts'
export type { NamePlace, PortfolioFiles, TableFile } from './portfolio-files.ts'
export { readText } from './read-file.ts'
export { imagesIn, portfolioRefused, readPortfolio } from './read-portfolio.ts'
export { readUserFile } from './read-users.ts'
