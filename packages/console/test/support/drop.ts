import type { Locator, Page } from '@almoner/browser'

/** The operation that a drag from a file manager allows. */
const COPY = 1

/**
 * Drops files and folders of this machine on an element, as from a file manager. The browser makes the events, and the page can read the
 * folders.
 */
export const dropOn = async (page: Page, target: Locator, files: ReadonlyArray<string>): Promise<void> => {
  // Bars stay at the edges of the page, so the element has to be in its middle.
  await target.evaluate("(element) => element.scrollIntoView({ block: 'center' })")
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element is not shown')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...files], dragOperationsMask: COPY }
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...place, data })
  await session.detach()
}
