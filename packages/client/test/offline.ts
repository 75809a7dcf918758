import { type Client, createSync, type LibraryItem, type SyncStore } from '@almoner/client'

/**
 * Shows the newest English publications of a copy, again after each change, and keeps the copy in step until the signal aborts.
 * Rejects if the person has to sign in again.
 */
export const showLibrary = async (
  client: Client,
  store: SyncStore,
  render: (items: ReadonlyArray<LibraryItem>, isComplete: boolean) => void,
  signal: AbortSignal,
): Promise<void> => {
  const copy = createSync({ client, store, kinds: ['library', 'label'], include: ['labels'] })
  const show = async () => {
    const items = await copy.list('library', { lang: 'en', status: 'Live', lim: 20 })
    render(items, (await copy.state()).isComplete)
  }
  // Begins with the copy of last time, without a network too.
  await show()
  const leave = copy.subscribe(() => void show())
  await copy.run({ signal }).finally(leave)
}
