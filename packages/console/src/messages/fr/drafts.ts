import type { DraftMessages } from '../en/drafts.ts'

/** The French words of deleting drafts. */
export const drafts: DraftMessages = {
  deletion: {
    undo: 'Revenir en arrière',
    act: 'Supprimer ce brouillon',
    done: 'Le brouillon est supprimé.',
    undone: 'Le brouillon est de retour.',
    late: 'Le brouillon n’a pas pu être récupéré : on a dix secondes pour le faire.',
    refused: 'On ne peut supprimer qu’un brouillon jamais publié. Archivez-le plutôt.',
    changed: 'Ce brouillon a changé entre-temps. Relisez-le avant de le supprimer.',
  },
}
