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
  results: {
    title: 'Résultats',
    print: 'Imprimer',
    period: 'Mois',
    recent: 'Les douze derniers',
    month: 'Mois',
    total: 'Ensemble',
    csv: 'CSV',
    csvLabel: (title) => `Enregistrer en CSV : ${title}`,
    none: 'Rien pour l’instant.',
    byLanguage: 'Par langue',
    published: { library: 'Publications', feed: 'Posts' },
    publishedHint: {
      library: 'En ligne aujourd’hui, au mois de leur date de publication.',
      feed: 'En ligne aujourd’hui, au mois de leur envoi.',
    },
    sent: 'Notifications',
    sentHint:
      'Comptées au mois où leur envoi a commencé. Un téléphone ou un navigateur est atteint quand son fournisseur a accepté la notification.',
    notifications: 'Notifications',
    devicesOfMonth: 'Téléphones et navigateurs',
    outcomes: {
      delivered: 'Atteints',
      failed: 'Non atteints',
      dead: 'Application retirée',
      skipped: 'Déconnectés ou désactivés',
    },
    devices: 'Téléphones et navigateurs, aujourd’hui',
    kind: 'Type',
    people: 'Personnes par langue, aujourd’hui',
    peopleHint: 'Personnes qui ont une préférence ou un appareil. Les autres lisent sans être connues.',
    language: 'Langue',
    subscribed: 'Veulent les notifications',
    unsubscribed: 'N’en veulent pas',
    topics: 'Personnes par thème, aujourd’hui',
    topicsHint: 'Personnes qui veulent les notifications. Qui suit plusieurs thèmes compte pour chacun.',
    topic: 'Thème',
    everything: 'Tout',
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
