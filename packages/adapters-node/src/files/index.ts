/**
 * Files that a service is filled from: a portfolio in a folder, a file or an upload, users in CSV, any text.
 * @module @almoner/adapters-node/files
 */

export { type FileFault, type FilesRefused, filesRefused } from './file-fault.ts'
export type { NamePlace, PortfolioFiles, TableFile } from './portfolio-files.ts'
export { readText } from './read-file.ts'
export { imagesIn, portfolioRefused, readPortfolio } from './read-portfolio.ts'
export { readUserFile } from './read-users.ts'
export { type OpenPortfolioOptions, openPortfolioUpload } from './upload/open-upload.ts'
