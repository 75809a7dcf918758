import type { ResultMessages } from '../en/results.ts'
import { number } from './counts.ts'

/** The French words of the queue's overview, of reasons, results and the calendar. */
export const results: ResultMessages = {
  overview: {
    views: 'Affichage',
    queue: 'Un par un',
    grid: 'Vue d’ensemble',
    oldest: (shown, total) =>
      `Les ${number(shown)} qui attendent depuis le plus longtemps, sur ${number(total)}.`,
    earlier: 'Déjà envoyé par le même donateur',
    given: 'Raison donnée :',
  },
  reason: {
    button: 'Dire pourquoi non',
    title: (title) => `Pourquoi ne pas retenir « ${title} » ?`,
    text: 'Le donateur lit ceci à côté de son post, dans l’application. Écrivez dans la langue du post.',
    frequent: 'Raisons fréquentes',
    names: {
      unclear: 'Image peu nette',
      people: 'Montre des personnes',
      subject: 'Autre sujet',
      known: 'Déjà publié',
    },
    label: 'Ce que lit le donateur',
    archive: 'Archiver le post avec cette raison',
    archiveWithout: 'Archiver le post sans raison',
    keep: 'Laisser le post attendre',
  },
}
