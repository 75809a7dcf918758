import type { AppMessages, SeriesSummary } from '../en/app.ts'
import { counted, number } from './counts.ts'

const span = ({ first, last }: SeriesSummary): string => (first === last ? first : `de ${first} à ${last}`)

const spans = (series: ReadonlyArray<SeriesSummary>): string =>
  series.map((one) => (series.length === 1 ? span(one) : `${one.name} : ${span(one)}`)).join(' ; ')

/** The French words of the frame of the console, problems, the desk, the palette, shortcuts and charts. */
export const app: AppMessages = {
  colon: ' : ',
  loading: 'Chargement…',
  close: 'Fermer',
  cancel: 'Ne rien faire',
  keep: 'Ne rien changer',
  retry: 'Réessayer',
  forOperators: {
    title: 'Cette page est réservée aux opérateurs',
    text: 'Votre fonction est d’écrire et de publier. Demandez à un opérateur ce qu’il vous faut ici.',
  },
  shell: {
    skip: 'Aller au contenu',
    navigation: 'Principale',
    administration: 'Administration',
    waiting: (count) => `${number(count)} à faire`,
  },
  navigation: {
    desk: 'Bureau',
    library: 'Bibliothèque',
    feed: 'Fil',
    queue: 'À valider',
    proposals: 'Propositions',
    portfolio: 'Portefeuille',
    notifications: 'Notifications',
    calendar: 'Calendrier',
    results: 'Résultats',
    people: 'Personnes',
    clients: 'Clients de l’API',
    managers: 'Équipe',
    operations: 'Exploitation',
    audit: 'Journal d’audit',
  },
  languages: { en: 'Anglais', fr: 'Français' },
  status: { Draft: 'Brouillon', Live: 'En ligne', Archived: 'Archivé' },
  kinds: { photo: 'Photo', link: 'Lien', vlink: 'Vidéo' },
  session: {
    endedTitle: 'Votre session est terminée',
    endedText: 'Votre texte est toujours là. Reconnectez-vous, puis reprenez où vous en étiez.',
    link: 'Votre nouveau lien de connexion',
    linkHint: (command) =>
      `Un opérateur en crée un sur la page « Équipe ». Sur le serveur, la commande « ${command} » en affiche un.`,
    signIn: 'Se connecter',
    oidc: 'Se connecter avec votre organisation, dans un autre onglet',
    passkey: 'Se connecter avec une clé d’accès',
    password: 'Mot de passe',
    code: 'Code de votre application, ou un code de secours',
    byPassword: 'Se connecter avec le mot de passe',
    otherTab: 'Se connecter dans un autre onglet',
    continue: 'Je suis connecté : reprendre',
    problems: {
      refused: 'Ce lien ne fonctionne pas. Il a peut-être déjà servi, ou il est trop ancien.',
      noPasskey: 'Cette clé d’accès n’est pas connue ici.',
      noPassword:
        'Cela ne vous a pas connecté. Vérifiez le mot de passe, et prenez le code suivant : chacun ne sert qu’une fois.',
      tooMany: 'Trop de tentatives. Attendez une minute, puis réessayez.',
      failed: 'Le serveur n’a pas répondu. Réessayez dans un instant.',
      notYet: 'Vous n’êtes pas encore connecté.',
      other: 'C’est une autre personne. Connectez-vous à votre nom.',
    },
  },
  presence: {
    title: 'Confirmez que c’est bien vous',
    text: 'Cet acte est définitif, touche beaucoup de personnes, montre des données personnelles ou donne un accès à d’autres. Reconnectez-vous pour continuer. Cela vaut cinq minutes.',
    onlyLinks: 'Pour l’instant, vous vous connectez seulement par lien : il vous en faut un nouveau.',
    offerTitle: 'Vous passer de lien désormais',
    offerText:
      'Vous avez confirmé que c’est bien vous. La prochaine fois, une clé d’accès le fera avec le verrou de votre téléphone ou de votre ordinateur. L’ajouter prend un instant.',
    offerSkip: 'Continuer sans clé',
  },
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
    link: 'Aller au bureau',
  },
  desk: {
    title: (name) => `Bonjour, ${name}`,
    toDo: 'À faire',
    waiting: (count) => counted(count, 'post attend votre validation', 'posts attendent votre validation'),
    oldest: (age) => `Envoi du plus ancien : ${age}.`,
    lacking: {
      en: (count) =>
        counted(count, 'publication sans version anglaise', 'publications sans version anglaise'),
      fr: (count) =>
        counted(count, 'publication sans version française', 'publications sans version française'),
    },
    older: (count) =>
      counted(
        count,
        'publication à mettre à jour d’après l’autre langue',
        'publications à mettre à jour d’après l’autre langue',
      ),
    olderHint: (titles) => `Modifié dans l’autre langue : ${titles}`,
    olderTitle: (title, fields) => `«\u00a0${title}\u00a0» (${fields})`,
    unfinished: (title) => `Terminer « ${title} »`,
    unfinishedHint: (age) => `Écrit ${age}, pas encore enregistré.`,
    nothing:
      'Rien ne vous attend. Les posts de donateurs, les traductions manquantes et vos textes non enregistrés apparaissent ici.',
    today: 'Envois du jour',
    todayEmpty:
      'Aucune notification ne part aujourd’hui. Celles qui sont prévues pour aujourd’hui apparaissent ici avec leur heure.',
    calendar: 'Le calendrier du mois',
    states: {
      unscheduled: 'non planifiée',
      scheduled: 'planifiée',
      sending: 'envoi en cours',
      sent: 'envoyée',
      partial: 'envoyée, mais pas à tous',
      failed: 'échec',
    },
    failedTitle: 'Ces notifications ne sont pas arrivées partout',
    reasons: { failed: 'aucun appareil atteint.', partial: 'tous les appareils n’ont pas été atteints.' },
    deadLinksTitle: (count) => counted(count, 'lien ne mène nulle part', 'liens ne mènent nulle part'),
    deadLink: (field, answer, day) =>
      `${field}, ${{ 'no-name': 'site introuvable', refused: 'le site refuse les connexions' }[answer] ?? `réponse ${answer}`} depuis le ${day}.`,
    schedulesTitle: 'Ces entrées n’ont pas changé à l’heure prévue',
    schedules: {
      publishAt: (missing) => `pas de mise en ligne, il manquait : ${missing}.`,
      archiveAt: () => 'pas d’archivage, car c’était un brouillon.',
    },
    published: 'Mis en ligne, par mois sur un an',
    publications: 'Publications',
    posts: 'Posts',
    month: 'Mois',
    results: 'Tous les résultats : notifications, appareils, personnes',
    begin: 'Commencer quelque chose',
    publication: {
      title: 'Rédiger une publication',
      text: 'Elle reste un brouillon jusqu’à sa mise en ligne.',
    },
    post: { title: 'Rédiger un post', text: 'Une photo, un lien ou une vidéo pour le fil.' },
  },
  account: {
    title: 'Votre compte',
    name: 'Nom',
    email: 'E-mail',
    ends: 'Connexion valable jusqu’au',
    language: 'Langue de la console',
    zone: 'Fuseau horaire de la console',
    serviceZone: (zone) => `Celui du service (${zone})`,
    zoneHint: (now) =>
      `Toutes les heures de la console sont données dans ce fuseau. Heure actuelle : ${now}.`,
    signOut: 'Se déconnecter',
  },
  problems: {
    offline: 'Le serveur n’a pas répondu. Vérifiez votre connexion, puis réessayez.',
    answered: (status) => `Le serveur n’a pas pu le faire (erreur ${status}).`,
    request: (id) => `Numéro de la requête, pour votre administrateur : ${id}`,
    codes: {
      illegal_move:
        'Une entrée archivée ne peut pas être publiée directement. Remettez-la d’abord en brouillon.',
      not_publishable: 'La mise en ligne n’est pas encore possible : il manque quelque chose.',
      image_gone: 'Une image de cette version n’existe plus.',
      last_operator:
        'C’est la dernière personne à l’administration. Donnez d’abord cette fonction à quelqu’un d’autre.',
      has_counterpart: 'La langue ne peut pas changer tant que la traduction est liée.',
      image_needed:
        'Une entrée en ligne a besoin de cette image. Remplacez-la, ou remettez l’entrée en brouillon.',
      not_found: 'Cette entrée n’existe plus.',
      precondition_failed: 'Elle a changé entre-temps. Regardez-la à nouveau.',
      content_too_large: 'Le fichier est trop gros. 10 Mo au plus.',
      notification_started: 'Son envoi a déjà commencé. Rechargez la page pour voir où il en est.',
      too_many_requests: 'Trop de requêtes. Attendez une minute.',
      insufficient_scope: 'Vous n’en avez pas le droit.',
      insufficient_role: 'Ceci est réservé aux opérateurs.',
      presence_required: 'Reconnectez-vous d’abord pour faire ceci.',
    },
  },
  palette: {
    button: 'Rechercher',
    title: 'Recherche et actions',
    hint: 'Une page, une action, des mots d’un titre',
    pages: 'Pages',
    acts: 'Actions',
    languages: { en: 'Continue in English', fr: 'Continuer en français' },
    missing: 'Publications sans traduction',
    older: 'Traductions à mettre à jour',
    drafts: 'Brouillons de publications',
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
    areas: { everywhere: 'Partout', list: 'Listes', queue: 'À valider', editor: 'Éditeur' },
    acts: {
      save: 'Enregistrer',
      palette: 'Recherche et actions',
      help: 'Aide de la page',
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
      reason: 'Archiver le post avec une raison',
      nextPost: 'Post suivant',
      previousPost: 'Post précédent',
      undo: 'Revenir sur la dernière action',
    },
    keyNames: {
      ...{ Mod: 'Ctrl', Shift: 'Maj', ArrowDown: 'Bas', ArrowUp: 'Haut' },
      ...{ Home: 'Début', End: 'Fin', Escape: 'Échap' },
    },
  },
  help: {
    button: 'Aide',
    title: 'Manuel',
    contents: 'Sommaire',
    whole: 'Tout le manuel',
  },
  charts: {
    table: 'Voir le tableau',
    none: '–',
    empty: 'Il n’y a pas encore de chiffres.',
    summary: (title, series) => `${title} : ${spans(series)}`,
  },
}
