import type { ProposalMessages } from '../en/proposals.ts'
import { counted } from './counts.ts'

/** The French words of proposals for entries that are live. */
export const proposals: ProposalMessages = {
  proposals: {
    title: 'Propositions',
    one: 'Proposition',
    intro:
      'Une proposition est une autre version d’un contenu en ligne. Vos collègues la voient ici ; les lecteurs ne la voient qu’une fois publiée.',
    empty:
      'Aucune proposition ici. Ouvrez un contenu en ligne, modifiez-le, puis choisissez « Partager comme proposition ».',
    views: 'Propositions affichées',
    view: { all: 'Toutes', mine: 'Les miennes', scheduled: 'Programmées', failed: 'Non publiées à temps' },
    share: 'Partager comme proposition',
    shareBoth: 'Partager comme propositions',
    sharedBoth: 'Partagé comme propositions. Les lecteurs voient toujours les versions précédentes.',
    shared: 'Partagé comme proposition. Les lecteurs voient toujours la version précédente.',
    exists:
      'Entre-temps, un collègue a partagé une proposition pour ce contenu. Regardez-la d’abord ; votre texte est conservé.',
    open: (name, moment) => `${name} a proposé une autre version de ce contenu le ${moment}.`,
    look: 'Voir la proposition',
    by: (name, moment) => `Proposé par ${name} le ${moment}`,
    unknown: 'un ancien collègue',
    changes: 'Ce qui changerait pour les lecteurs',
    none: 'Pour l’instant, la proposition est identique à la version en ligne.',
    changed: (fields) => `Modifie : ${fields}`,
    edit: 'Modifier le texte ou les images',
    compare: 'Comparer à la version en ligne',
    save: 'Enregistrer la proposition',
    saved: 'La proposition est enregistrée. Vos collègues la voient, pas les lecteurs.',
    restored: (moment) =>
      `Vous avez écrit ceci le ${moment} sans l’enregistrer dans la proposition. Vous seul le voyez.`,
    unsaved: 'Avec ce que vous avez écrit et pas encore enregistré.',
    publish: 'Publier la proposition',
    publishTitle: (title) => `Publier la proposition pour « ${title} » ?`,
    publishText: (fields) => `Les lecteurs verront aussitôt : ${fields}.`,
    publishDonors: (fields) => `Les donateurs verront aussitôt : ${fields}.`,
    publishSame: 'Rien ne changera pour les lecteurs.',
    keep: 'En rester à la proposition',
    published: {
      now: {
        readers: 'La proposition est publiée. Les lecteurs la voient maintenant.',
        donors: 'La proposition est publiée. Les donateurs la voient maintenant.',
      },
      from: {
        readers: (day) => `La proposition est publiée. Les lecteurs la verront à partir du ${day}.`,
        donors: (day) => `La proposition est publiée. Les donateurs la verront à partir du ${day}.`,
      },
    },
    discard: 'Abandonner la proposition',
    discarded: 'La proposition est abandonnée. Rien ne change pour les lecteurs.',
    undone: 'La proposition est de retour.',
    late: 'La proposition n’a pas pu être récupérée.',
    gone: 'Il n’y a pas de proposition pour ce contenu',
    goneText: 'Elle a été publiée ou abandonnée. L’historique du contenu dit qui l’a publiée.',
    typed: 'Ce que vous y avez écrit sans l’enregistrer est toujours là.',
    goOn: 'Continuer dans le contenu',
    toItem: { library: 'Vers la publication', feed: 'Vers le post' },
    stale: 'La version en ligne a changé depuis',
    staleText:
      'Ses changements sont réunis ci-dessous avec la proposition. Relisez le résultat, puis enregistrez-le ou publiez-le.',
    staleTag: 'Version en ligne modifiée depuis',
    notLive:
      'Ce contenu n’est plus en ligne. Publiez d’abord le contenu, puis sa proposition, ou abandonnez la proposition.',
    clashText:
      'La version en ligne et la proposition diffèrent ici. Choisissez pour chaque champ, puis enregistrez ou publiez.',
    before: 'Avant les deux',
    live: 'Version en ligne',
    proposed: 'Proposition',
    useLive: 'Garder la version en ligne',
    useProposed: 'Prendre la proposition',
    moment: {
      title: 'Publier plus tard',
      day: 'Publier le',
      time: 'Heure de publication',
      set: (moment) => `Elle sera publiée le ${moment}.`,
      save: 'Fixer la date',
      clear: 'Retirer la date',
      done: (moment) => `La proposition sera publiée le ${moment}.`,
      cleared: 'La proposition n’a plus de date. Elle attend que quelqu’un la publie.',
      past: 'Choisissez un moment à venir.',
      stale: 'Enregistrez d’abord la proposition réunie : la version en ligne a changé depuis.',
      tag: (moment) => `Prévue le ${moment}`,
    },
    failed: (moment) => `Elle n’a pas été publiée le ${moment}.`,
    failedStale: 'La version en ligne avait changé depuis la proposition.',
    failedFields: (fields) => `Éléments manquants ou refusés : ${fields}.`,
    failedTag: 'Non publiée à temps',
    deskFailed: 'Ces propositions n’ont pas été publiées à la date prévue',
    waiting: (count) =>
      counted(count, 'proposition attend une décision', 'propositions attendent une décision'),
    waitingHint: (titles) => `Pour ${titles}`,
    quoted: (title) => `« ${title} »`,
  },
}
