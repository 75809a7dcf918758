const acts = {
  palette: 'Search and acts',
  shortcuts: 'This page',
  search: 'Search the list',
  next: 'Next entry',
  previous: 'Previous entry',
  first: 'First entry',
  last: 'Last entry',
  select: 'Select the entry, or unselect it',
  selectNext: 'Select the next entry too',
  selectPrevious: 'Select the previous entry too',
  selectAll: 'Select all listed entries',
  clear: 'Clear the selection',
  approve: 'Approve the post',
  archive: 'Archive the post',
  nextPost: 'Next post',
  previousPost: 'Previous post',
  undo: 'Undo the last act',
}

const areas = {
  everywhere: 'Everywhere',
  list: 'Lists',
  queue: 'Queue',
}

/** The English words of the palette and of shortcuts. */
export const palette = {
  palette: {
    button: 'Search',
    title: 'Search and acts',
    hint: 'A page, an act, words of a title',
    pages: 'Pages',
    acts: 'Acts',
    languages: { en: 'Continue in English', fr: 'Continuer en français' },
    nothing: 'Nothing matches.',
    searching: 'Searching…',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    switch: 'Shortcuts of a single key',
    switchHint: 'Switch them off if you dictate, or press keys by accident. This browser remembers it.',
    act: 'Act',
    keys: 'Keys',
    off: 'switched off',
    areas,
    acts,
    keyNames: {
      ...{ Mod: 'Ctrl', Shift: 'Shift', ArrowDown: 'Down', ArrowUp: 'Up' },
      ...{ Home: 'Home', End: 'End', Escape: 'Esc' },
    },
  },
}

export type PaletteMessages = typeof palette
