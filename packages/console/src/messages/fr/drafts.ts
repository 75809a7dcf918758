import type { DraftMessages } from '../en/drafts.ts'

/** The French words of deleting drafts, and of previews. */
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
  preview: {
    link: 'Aperçu',
    title: 'Ce que voient les lecteurs',
    intro: {
      item: 'La version enregistrée, avec les données que reçoit votre application. Celle-ci peut les présenter autrement.',
      proposal:
        'La proposition, la vôtre ou celle d’un collègue : les lecteurs ne la voient pas encore. Votre application peut la présenter autrement.',
      copy: 'Votre texte en cours, pas encore enregistré : les lecteurs ne le voient pas. Votre application peut le présenter autrement.',
    },
    text: 'Version',
    texts: { item: 'Enregistrée', copy: 'En cours', proposal: 'Proposée' },
    inApp: 'Ouvrir dans l’application',
    saveFirst:
      'Pour l’ouvrir dans l’application, enregistrez d’abord : l’application retrouve un contenu par son numéro.',
    opened: (time) => `L’application l’affiche jusqu’à ${time}, tant que vous êtes connecté.`,
    again: 'Ouvrir à nouveau',
    asNotification: 'En notification',
    language: 'Langue',
    languages: { en: 'Anglais', fr: 'Français' },
    scheme: 'Affichage',
    schemes: { light: 'Clair', dark: 'Sombre' },
    size: 'Appareil',
    sizes: { small: 'Petit téléphone', large: 'Grand téléphone' },
  },
}
