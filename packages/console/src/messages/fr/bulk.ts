import type { BulkMessages } from '../en/bulk.ts'
import { counted, number } from './counts.ts'

/** The French words of bulk acts on lists. */
export const bulk: BulkMessages = {
  bulk: {
    selectAll: (count) => `Tout sélectionner (${counted(count, 'affiché', 'affichés')})`,
    selected: (count) => counted(count, 'sélectionné', 'sélectionnés'),
    unlisted: (count) => `dont ${number(count)} hors de cette liste`,
    most: (count) => `Pas plus de ${number(count)} à la fois.`,
    select: (title) => `Sélectionner « ${title} »`,
    changed: 'Modifié depuis la sélection',
    acts: 'Entrées sélectionnées',
    clear: 'Effacer la sélection',
    labels: 'Étiquettes',
    label: 'Étiquette',
    labelAct: 'Que faire',
    names: {
      library: (count) => counted(count, 'publication', 'publications'),
      feed: (count) => counted(count, 'post', 'posts'),
    },
    questions: {
      Live: (what) => `Publier ${what} ?`,
      Archived: (what) => `Archiver ${what} ?`,
      Draft: (what) => `Remettre ${what} en brouillon ?`,
      label: (what) => `Étiqueter ${what}`,
    },
    named: 'Ces entrées, et aucune autre :',
    acting: {
      Live: 'Publier',
      Archived: 'Archiver',
      Draft: 'En brouillon',
      attach: 'Ajouter l’étiquette',
      detach: 'Retirer l’étiquette',
    },
    running: 'En cours',
    progress: (done, total) => `${number(done)} sur ${number(total)}`,
    stop: 'Arrêter',
    results: {
      Live: (count) => counted(count, 'publié', 'publiés'),
      Archived: (count) => counted(count, 'archivé', 'archivés'),
      Draft: (count) => counted(count, 'remis en brouillon', 'remis en brouillon'),
      attach: (count) => counted(count, 'étiqueté', 'étiquetés'),
      detach: (count) => `${number(count)} sans l’étiquette désormais`,
      undo: (count) => counted(count, 'rétabli', 'rétablis'),
    },
    not: (count) => `${number(count)} non`,
    states: {
      changed: 'Modifié entre-temps par une autre personne. Laissé tel quel.',
      same: 'Rien à faire : c’était déjà le cas.',
      unknown: 'Le serveur n’a pas encore dit si c’est fait.',
      waiting: 'Pas commencé.',
    },
    doneList: (count) => `Voir ce qui a été fait (${number(count)})`,
    undo: 'Annuler',
    undoLabel: (count) => `Annuler (${number(count)})`,
    goOn: 'Continuer avec le reste',
    ask: 'Redemander',
    close: 'Fermer le rapport',
  },
}
