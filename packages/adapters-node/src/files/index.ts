/**
 * Files that a service is filled from: a portfolio in a folder, a file or an upload, users in CSV, any text. All are bounded (H4).
 * @module @almoner/adapters-node/files
 */

export { type FileFault, type FilesRefused, faultLine, filesRefused } from './file-fault.ts'
export { type OpenOptions, openPortfolio } from './open-portfolio.ts'
export { readText } from './read-file.ts'
export { badRows, type JsonTable, readJsonTable } from './read-table-file.ts'
export { readUserFile } from './read-users.ts'
export { type OpenPortfolioOptions, openPortfolioAt, openPortfolioUpload } from './upload/open-upload.ts'
