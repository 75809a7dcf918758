/**
 * Files that a service is filled from: a portfolio in a folder, a file or an upload, users in CSV, any text. All are bounded (H4).
 * @module @almoner/adapters-node/files
 */

export { readText } from './list-files.ts'
export { type OpenOptions, openPortfolio } from './open-portfolio.ts'
export { badRows, type JsonTable, readJsonTable, readUserFile } from './read-tables.ts'
export { type FileFault, type FilesRefused, faultLine, filesRefused } from './reading.ts'
export { type OpenPortfolioOptions, openPortfolioAt, openPortfolioUpload } from './upload/open-upload.ts'
