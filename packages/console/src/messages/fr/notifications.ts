import type { NotificationMessages } from '../en/notifications.ts'
import { counted, number } from './counts.ts'

const devices = (count: number): string => counted(count, 'appareil', 'appareils')

const listed = new Intl.ListFormat('fr-FR')

/** The French words of notifications and their composer. */
export const notifications: NotificationMessages = {
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
    otherLanguage: 'Autre langue',
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
      both: 'Elle est annulée dans les deux langues.',
      confirm: 'Annuler la notification',
      keep: 'La garder',
      done: 'La notification est annulée.',
    },
    stop: {
      button: 'Arrêter l’envoi',
      title: 'Arrêter l’envoi de cette notification ?',
      text: 'Les appareils qui l’ont reçue la gardent, les autres ne la reçoivent pas. La notification et son bilan sont supprimés.',
      both: 'L’envoi s’arrête dans les deux langues.',
      confirm: 'Arrêter l’envoi et supprimer la notification',
      keep: 'Continuer l’envoi',
      done: 'L’envoi est arrêté.',
    },
  },
  composer: {
    topic: 'Thème',
    everyone: 'Tous les lecteurs',
    followers: (people, topic) =>
      `${counted(people, 'de ces personnes suit', 'de ces personnes suivent')} le thème « ${topic} ». Les autres suivent tous les thèmes.`,
    title: 'Nouvelle notification',
    change: 'Modifier une notification',
    create: 'Nouvelle notification',
    notify: 'Avertir les lecteurs',
    changeLink: 'La modifier',
    choose: 'De quelle publication s’agit-il ?',
    nothingFound: 'Aucune publication en ligne ne correspond.',
    without: 'En écrire une sans publication',
    gone: 'Elle n’existe plus.',
    started: 'Cette notification est en cours d’envoi ou envoyée. Elle ne peut plus être modifiée.',
    look: 'La voir',
    restored: (moment) => `Vous avez écrit ceci le ${moment} sans le planifier. Vous seul le voyez.`,
    about: 'Ouvre',
    notLive: 'Elle n’a ni image ni lien, car sa publication n’est pas en ligne.',
    send: { en: 'Envoyer en anglais', fr: 'Envoyer en français' },
    readers: {
      en: 'Aux lecteurs qui ont choisi l’anglais ou aucune langue.',
      fr: 'Aux lecteurs qui ont choisi le français.',
    },
    otherLanguage: {
      en: 'Il n’y a pas de version anglaise. Elle ouvre la version française.',
      fr: 'Il n’y a pas de version française. Elle ouvre la version anglaise.',
    },
    scheduled: 'Celle-ci est planifiée. La voir',
    fields: { title: 'Titre', subtitle: 'Sous-titre', description: 'Texte' },
    subtitleHint: 'Sur Android et dans les navigateurs, c’est la première ligne du texte.',
    size: 'Taille de la notification',
    bytes: (bytes, most) => `${bytes} octets sur ${most}`,
    tooLarge: 'Trop longue : Apple, Google et les navigateurs la refusent. Raccourcissez le texte.',
    smallerLimits: {
      'firefox-android': (size, isOver) =>
        isOver
          ? `Trop longue pour Firefox sur Android (${size}) : ses utilisateurs ne la recevront pas.`
          : `Firefox sur Android : ${size}`,
    },
    number,
    noDevices: 'Aucun appareil ne la recevrait',
    kinds: {
      fcm: 'Android et autres par Firebase',
      apns: 'iPhone et iPad',
      webpush: 'Navigateurs',
      unroutable: 'De type inconnu : injoignables',
    },
    previews: 'Comment les appareils l’affichent',
    devices: { iphone: 'iPhone verrouillé', android: 'Android', browser: 'Navigateur sur ordinateur' },
    parts: { title: 'le titre', subtitle: 'le sous-titre', text: 'le texte' },
    cut: (parts) => `Coupe ${listed.format(parts)}`,
    notCut: 'Affiche tout',
    when: 'Heure',
    begin: 'Quand part-elle ?',
    at: 'À une heure choisie',
    now: 'Maintenant',
    day: 'Jour',
    time: 'Heure',
    zone: 'Fuseau horaire',
    noTime: 'Choisissez un jour et une heure.',
    moment: (day, time, zone) => `${day} à ${time} (${zone})`,
    missingHour: (time) =>
      `Ce jour-là, ${time} n’existe pas : les horloges avancent. Elle part à l’heure indiquée ci-dessus.`,
    twiceHour: (time) =>
      `Ce jour-là, ${time} existe deux fois, car les horloges reculent. Choisissez l’une des deux.`,
    which: 'Laquelle ?',
    first: 'La première, avant le changement',
    second: 'La seconde, après le changement',
    clockChange: (moment, before, after) =>
      `L’heure change d’ici là : ${moment}. Aujourd’hui ${before}, alors ${after}.`,
    ownTime: (moment) => `À votre horloge : ${moment}`,
    past: 'Cette heure est passée : elle part aussitôt.',
    test: 'Essai sur votre propre appareil',
    testHint: 'Seul l’appareil choisi la reçoit. Rien n’est planifié.',
    noOwnDevice: (email) =>
      `Vous n’avez pas encore d’appareil. Connectez-vous à l’application ou au site avec ${email}, autorisez-y les notifications, puis rouvrez cette page.`,
    device: 'Appareil',
    ownDevice: (kind, day) => `${kind}, depuis le ${day}`,
    testIn: (language) => `Envoyer l’essai en ${language.toLowerCase()}`,
    testing: 'Envoi…',
    outcomes: {
      delivered: () => 'Envoyée. Elle devrait être sur votre appareil dans quelques secondes.',
      unregistered: () => 'L’application n’est plus sur cet appareil.',
      retry: (reason) => `Le fournisseur ne peut pas la prendre en ce moment : ${reason}`,
      refused: (reason) => `Le fournisseur la refuse : ${reason}`,
      senderError: (reason) =>
        `Le fournisseur rejette nos identifiants. Avertissez votre administrateur : ${reason}`,
    },
    acts: 'Planifier',
    noLanguage: 'Choisissez une langue.',
    hasErrors: 'Il manque quelque chose. Voyez les champs marqués ci-dessus.',
    schedule: 'Planifier…',
    sendNow: 'Envoyer maintenant…',
    question: {
      at: (count) => `La planifier pour ${devices(count)} ?`,
      now: (count) => `L’envoyer maintenant à ${devices(count)} ?`,
    },
    confirm: {
      at: (count) => `Planifier pour ${devices(count)}`,
      now: (count) => `Envoyer à ${devices(count)}`,
    },
    questionAgain: {
      at: (count) => `En planifier une deuxième, pour ${devices(count)} ?`,
      now: (count) => `En envoyer maintenant une deuxième à ${devices(count)} ?`,
    },
    confirmAgain: {
      at: (count) => `En planifier une deuxième pour ${devices(count)}`,
      now: (count) => `En envoyer une deuxième à ${devices(count)}`,
    },
    notYet: 'Pas encore',
    announced: 'Déjà envoyé ou planifié au sujet de cette publication',
    earlier: {
      did: {
        en: (moment, count) =>
          `Les lecteurs de l’anglais en ont reçu une au sujet de cette publication le ${moment}, sur ${devices(count)}.`,
        fr: (moment, count) =>
          `Les lecteurs du français en ont reçu une au sujet de cette publication le ${moment}, sur ${devices(count)}.`,
      },
      will: {
        en: (moment) =>
          `Les lecteurs de l’anglais en recevront déjà une au sujet de cette publication le ${moment}.`,
        fr: (moment) =>
          `Les lecteurs du français en recevront déjà une au sujet de cette publication le ${moment}.`,
      },
    },
    atOnce: 'Elle part aussitôt, et ne peut plus être reprise aux appareils qui l’ont.',
    done: 'Elle est planifiée.',
  },
}
