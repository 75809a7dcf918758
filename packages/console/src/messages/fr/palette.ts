import type { PaletteMessages } from '../en/palette.ts'

/** The French words of the palette and of shortcuts. */
export const palette: PaletteMessages = {
  palette: {
    button: 'Rechercher',
    title: 'Recherche et actions',
    hint: 'Une page, une action, des mots d’un titre',
    pages: 'Pages',
    acts: 'Actions',
    languages: { en: 'Continue in English', fr: 'Continuer en français' },
    nothing: 'Aucun résultat.',
    searching: 'Recherche en cours…',
  },
  shortcuts: {
    title: 'Raccourcis clavier',
    switch: 'Raccourcis d’une seule touche',
    switchHint:
      'Désactivez-les si vous dictez, ou si vous appuyez sur des touches par accident. Ce navigateur s’en souvient.',
    act: 'Action',
    keys: 'Touches',
    off: 'désactivé',
    areas: { everywhere: 'Partout', list: 'Listes', queue: 'À valider' },
    acts: {
      palette: 'Recherche et actions',
      shortcuts: 'Cette page',
      search: 'Rechercher dans la liste',
      next: 'Entrée suivante',
      previous: 'Entrée précédente',
      first: 'Première entrée',
      last: 'Dernière entrée',
      select: 'Sélectionner l’entrée, ou la désélectionner',
      selectNext: 'Sélectionner aussi la suivante',
      selectPrevious: 'Sélectionner aussi la précédente',
      selectAll: 'Sélectionner toutes les entrées affichées',
      clear: 'Effacer la sélection',
      approve: 'Approuver le post',
      archive: 'Archiver le post',
      nextPost: 'Post suivant',
      previousPost: 'Post précédent',
      undo: 'Annuler la dernière action',
    },
    keyNames: {
      ...{ Mod: 'Ctrl', Shift: 'Maj', ArrowDown: 'Bas', ArrowUp: 'Haut' },
      ...{ Home: 'Début', End: 'Fin', Escape: 'Échap' },
    },
  },
}
