/** The English words of deleting drafts. */
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
}

export type DraftMessages = typeof drafts
