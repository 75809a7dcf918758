import type { NotificationMessages } from '../en/notifications.ts'
import { composer } from './composer.ts'
import { counted, number } from './counts.ts'

/** The French words of notifications. */
export const notifications: NotificationMessages = {
  ...composer,
  notifications: {
    title: 'Notifications',
    one: 'Notification',
    months: 'Mois',
    previous: 'Mois précédent',
    next: 'Mois suivant',
    today: 'Ce mois-ci',
    view: 'Affichage',
    views: { list: 'Liste', calendar: 'Calendrier' },
    state: 'État',
    stateGroups: {
      scheduled: 'Planifiées',
      sending: 'Envoi en cours',
      sent: 'Envoyées',
      failed: 'Avec échecs',
    },
    states: {
      unscheduled: 'Non planifiée',
      scheduled: 'Planifiée',
      sending: 'Envoi en cours',
      sent: 'Envoyée',
      partial: 'Envoyée, mais pas à tous',
      failed: 'Échec',
    },
    devices: (count) => counted(count, 'appareil', 'appareils'),
    incomplete: 'Ce mois compte trop de notifications pour cette page. Les premières manquent.',
    emptyTitle: (month) => `Aucune notification en ${month}`,
    emptyText:
      'Une notification s’affiche sur les téléphones et dans les navigateurs des lecteurs. Ouvrez une publication en ligne pour en rédiger une.',
    noneTitle: 'Aucun résultat',
    noneText: 'Aucune notification de ce mois n’a cette langue et cet état.',
    sendAt: 'Heure',
    never: 'Elle n’a pas d’heure, elle n’est donc jamais envoyée.',
    language: 'Langue',
    gone: 'Cette notification n’existe plus',
    progress: (done, all) => `${number(done)} sur ${counted(all, 'appareil', 'appareils')}`,
    progressLabel: 'Appareils traités',
    report: 'Bilan',
    startedAt: 'Début',
    finishedAt: 'Fin',
    shortened: {
      image: 'Elle est partie sans son image : avec elle, elle était devenue trop longue.',
      links: 'Elle est partie sans son image ni son lien : avec eux, elle était devenue trop longue.',
    },
    noRecipients: {
      en: 'Aucun appareil concerné : aucun lecteur anglophone n’a activé les notifications.',
      fr: 'Aucun appareil concerné : aucun lecteur francophone n’a activé les notifications.',
    },
    ends: {
      delivered: {
        text: (count) => counted(count, 'appareil l’a reçue', 'appareils l’ont reçue'),
        reason: 'Apple, Google ou l’éditeur du navigateur l’a acceptée et la transmet.',
      },
      dead: {
        text: (count) =>
          counted(count, 'appareil a supprimé l’application', 'appareils ont supprimé l’application'),
        reason: 'Plus rien n’y est envoyé jusqu’à ce que l’application soit réinstallée.',
      },
      skipped: {
        text: (count) => counted(count, 'appareil a été écarté', 'appareils ont été écartés'),
        reason: 'Déconnexion, ou notifications coupées, avant l’envoi.',
      },
      failed: {
        text: (count) => counted(count, 'appareil n’a pas été joint', 'appareils n’ont pas été joints'),
        reason: 'Type inconnu, ou aucun fournisseur n’a accepté le message à temps.',
      },
      pending: {
        text: (count) => counted(count, 'appareil attend encore', 'appareils attendent encore'),
        reason: 'L’envoi suit bientôt. Si cela dure, le service réessaie de lui-même.',
      },
    },
    cancel: {
      button: 'Annuler cette notification',
      title: 'Annuler cette notification ?',
      text: 'Rien n’a été envoyé. La notification est supprimée et ne part pas.',
      confirm: 'Ne pas l’envoyer',
      done: 'La notification est annulée.',
    },
    stop: {
      button: 'Arrêter l’envoi',
      title: 'Arrêter l’envoi de cette notification ?',
      text: 'Les appareils qui l’ont reçue la gardent, les autres ne la reçoivent pas. La notification et son bilan sont supprimés.',
      confirm: 'Arrêter et supprimer',
      done: 'L’envoi est arrêté.',
    },
  },
}
