import { counted, number } from './counts.ts'

/** The English words of bulk acts on lists. */
export const bulk = {
  bulk: {
    selectAll: (count: number) =>
      count === 1 ? 'Select the one listed' : `Select all ${number(count)} listed`,
    selected: (count: number) => `${number(count)} selected`,
    unlisted: (count: number) => `${number(count)} of them not in this list`,
    most: (count: number) => `No more than ${number(count)} can be selected.`,
    select: (title: string) => `Select “${title}”`,
    changed: 'Changed since you selected it',
    acts: 'Selected entries',
    clear: 'Clear the selection',
    labels: 'Labels',
    label: 'Label',
    labelAct: 'What to do with it',
    names: {
      library: (count: number) => counted(count, 'publication', 'publications'),
      feed: (count: number) => counted(count, 'post', 'posts'),
    },
    questions: {
      Live: (what: string) => `Publish ${what}?`,
      Archived: (what: string) => `Archive ${what}?`,
      Draft: (what: string) => `Move ${what} back to draft?`,
      label: (what: string) => `Label ${what}`,
    },
    named: 'These entries, and no others:',
    acting: {
      Live: 'Publish',
      Archived: 'Archive',
      Draft: 'Back to draft',
      attach: 'Add label',
      detach: 'Remove label',
    },
    running: 'Under way',
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    stop: 'Stop',
    results: {
      Live: (count: number) => `${number(count)} published`,
      Archived: (count: number) => `${number(count)} archived`,
      Draft: (count: number) => `${number(count)} moved back to draft`,
      attach: (count: number) => `${number(count)} labelled`,
      detach: (count: number) => `${number(count)} without the label now`,
      undo: (count: number) => `${number(count)} restored`,
    },
    not: (count: number) => `${number(count)} not`,
    states: {
      changed: 'Changed by someone else meanwhile. It was left as it is.',
      same: 'Nothing to do: it was so already.',
      unknown: 'The server has not said yet whether this was done.',
      waiting: 'Not begun.',
    },
    doneList: (count: number) => `Show what was done (${number(count)})`,
    undo: 'Undo',
    undoLabel: (count: number) => `Undo (${number(count)})`,
    goOn: 'Go on with the rest',
    ask: 'Ask again',
    close: 'Close the report',
  },
}

export type BulkMessages = typeof bulk
