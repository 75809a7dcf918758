export type { Browser, Locator, Page } from 'playwright-core'
export { accessibilityFaults } from './accessibility.ts'
export { inPage, type PageOptions } from './in-page.ts'
export { launchBrowser } from './launch.ts'
