/** The English words of deleting drafts, and of previews. */
export const drafts = {
  deletion: {
    undo: 'Undo',
    act: 'Delete this draft',
    done: 'The draft is deleted.',
    undone: 'The draft is back.',
    late: 'The draft could not be brought back: that works for ten seconds only.',
    refused: 'Only a draft that was never published can be deleted. Archive it instead.',
    changed: 'This draft has changed meanwhile. Look at it before you delete it.',
  },
  preview: {
    link: 'Preview',
    title: 'As readers see it',
    intro: {
      item: 'The saved version, from the data that your app gets. The app of your foundation may lay it out in another way.',
      proposal:
        'The proposal of a colleague or of your own: readers do not see it yet. The app of your foundation may lay it out in another way.',
      copy: 'What you have typed and not saved yet: readers do not see it. The app of your foundation may lay it out in another way.',
    },
    text: 'Version',
    texts: { item: 'As saved', copy: 'As typed', proposal: 'As proposed' },
    inApp: 'Open in the app',
    saveFirst: 'To open it in the app, save it first: the app finds an entry by its number.',
    opened: (time: string) => `The app shows it until ${time}, while you are signed in.`,
    again: 'Open it again',
    asNotification: 'As a notification',
    language: 'Language',
    languages: { en: 'English', fr: 'French' },
    scheme: 'Display',
    schemes: { light: 'Light', dark: 'Dark' },
    size: 'Device',
    sizes: { small: 'Small phone', large: 'Large phone' },
  },
}

export type DraftMessages = typeof drafts
