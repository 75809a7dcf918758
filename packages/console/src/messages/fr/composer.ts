import type { ComposerMessages } from '../en/composer.ts'
import { counted, number } from './counts.ts'

const devices = (count: number): string => counted(count, 'appareil', 'appareils')

const listed = new Intl.ListFormat('fr-FR')

/** The French words of the composer of notifications. */
export const composer: ComposerMessages = {
  composer: {
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
    withdrawn: 'La notification précédente est déjà annulée, et celle-ci n’est pas encore planifiée.',
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
    atOnce: 'Elle part aussitôt, et ne peut plus être reprise aux appareils qui l’ont.',
    done: 'Elle est planifiée.',
  },
}
