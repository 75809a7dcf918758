import type { EditingMessages } from '../en/editing.ts'
import { counted } from './counts.ts'

/** The French words of the editor: acts, schedule, readers, working copies, conflicts and images. */
export const editing: EditingMessages = {
  editor: {
    acts: 'Enregistrer et publier',
    counter: (left) =>
      left < 0
        ? `${-left} caractères en trop`
        : `${counted(left, 'caractère restant', 'caractères restants')}`,
    labels: 'Étiquettes',
    save: 'Enregistrer',
    publish: 'Publier',
    archive: 'Archiver',
    toDraft: 'Remettre en brouillon',
    saving: 'Enregistrement…',
    leave: 'Vos derniers ajouts seraient perdus. Quitter la page ?',
    missing: 'Il manque ceci avant de pouvoir publier',
    refused: 'L’enregistrement a été refusé',
    goneTitle: 'Cette entrée n’est pas là',
    goneText: 'Elle a peut-être été supprimée, ou l’adresse est fausse.',
    done: { Draft: 'Brouillon enregistré.', Archived: 'Archivé.' },
    published: {
      now: { readers: 'Publié. Les lecteurs le voient.', donors: 'Publié. Les donateurs le voient.' },
      from: {
        readers: (day) => `Publié. Les lecteurs le verront à partir du ${day}.`,
        donors: (day) => `Publié. Les donateurs le verront à partir du ${day}.`,
      },
    },
  },
  schedule: {
    title: 'Programmation',
    publishAt: {
      day: 'En ligne à partir du',
      time: 'Heure de début',
      set: (moment) => `La publication aura lieu le ${moment}.`,
    },
    archiveAt: {
      day: 'En ligne jusqu’au',
      time: 'Heure de fin',
      set: (moment) => `L’archivage aura lieu le ${moment}.`,
    },
    hint: (zone) => `Heure de ${zone}. Les champs vides ne programment rien.`,
    incomplete: 'Donnez le jour et l’heure, ou ni l’un ni l’autre.',
    save: 'Programmer',
    done: 'La programmation est enregistrée.',
    cleared: 'Plus rien n’est programmé.',
    future:
      'Les lecteurs voient ce contenu dès sa mise en ligne, pas à cette date. Pour le publier plus tard, programmez-le.',
    embargo: 'Une fois en ligne, ce contenu est visible des lecteurs à partir de cette date.',
  },
  readers: {
    title: 'Qui voit la version enregistrée',
    roles: { user: 'Lecteurs', 'user-donor': 'Donateurs', 'content-manager': 'Gestionnaires' },
    yes: 'Oui',
    no: 'Non',
  },
  copies: {
    restored: (moment) =>
      `Vous avez écrit ceci le ${moment} sans l’enregistrer. Vous seul le voyez ; les lecteurs voient la version enregistrée.`,
    discard: 'Abandonner mes modifications',
    discarded: 'Vos modifications sont abandonnées.',
    unfinished: 'Vous avez commencé ceci sans l’enregistrer',
    untitled: 'Sans titre',
    otherTab: 'Vous avez écrit un autre texte dans un autre onglet',
    otherTabText: (moment) =>
      `Il date du ${moment}, d’un autre onglet ou d’un autre appareil. Il est plus récent que le texte de départ de cette page. Choisissez ; l’autre est gardé jusque-là.`,
    there: 'Dans l’autre onglet',
    here: 'Sur cette page',
    useThere: 'Prendre l’autre texte',
    keepHere: 'Garder le texte de cette page',
    taken: 'Cette page a maintenant l’autre texte.',
    left: 'Vos derniers mots ne sont pas gardés : un autre onglet a un texte plus récent. Revenez pour choisir l’un des deux.',
    goBack: 'Revenir',
    states: {
      newer: 'Pas gardé : choisissez l’un des deux textes ci-dessus.',
      waiting: 'Pas encore enregistré',
      stored: 'Pas encore enregistré. Votre texte est gardé, même si vous fermez cette page.',
      failed:
        'Votre texte ne peut pas être gardé pour l’instant : le serveur ne répond pas. Laissez cette page ouverte.',
    },
  },
  clash: {
    title: 'Une autre personne a modifié ceci en même temps',
    by: (name, moment) => `Dernière modification : ${name}, le ${moment}.`,
    text: 'Tout le reste a été fusionné. Choisissez un texte pour chacun de ces champs, puis enregistrez.',
    before: 'Avant',
    theirs: 'Le sien',
    mine: 'Le vôtre',
    useTheirs: 'Prendre le sien',
    keepMine: 'Garder le vôtre',
  },
  images: {
    names: { cover: 'Couverture', notification: 'Image pour les notifications', media: 'Image' },
    drop: 'Déposez une image ici',
    dropSized: (width, height) =>
      `Déposez une photo ici. Vous la recadrez en ${width}\u00a0×\u00a0${height}.`,
    dropLabel: (name) => `${name} : déposer une image`,
    alt: (name) => `${name}, état actuel`,
    choose: 'Choisir un fichier',
    replace: 'Remplacer',
    remove: 'Retirer',
    askReplace: (name) => `${name} : remplacer ?`,
    askReplaceText:
      'Les lecteurs verront aussitôt la nouvelle image. Pendant une heure, l’historique permet de rétablir l’ancienne.',
    confirmReplace: (name) => `Remplacer : ${name}`,
    keepPresent: 'Garder l’image actuelle',
    chosen: (name) => `${name}, telle que vous l’avez choisie`,
    replaced: (name) => `${name} : remplacée. Les lecteurs voient la nouvelle.`,
    uploading: (name) => `${name} : envoi en cours`,
    format: (format) =>
      `Ce fichier est au format ${format}. Exportez-le en JPEG ou en PNG, puis choisissez-le.`,
    cropTitle: 'Choisissez la partie à montrer',
    cropHint: (width, height) =>
      `Le fil montre des images de ${width}\u00a0×\u00a0${height}. Faites glisser, ou utilisez les flèches ; agrandissez avec le curseur, la molette ou deux doigts.`,
    cropLabel: 'Partie de l’image. Les flèches la déplacent, plus et moins l’agrandissent.',
    zoom: 'Agrandir',
    small: 'Cette image est plus petite que nécessaire : elle paraîtra floue.',
    use: 'Utiliser cette partie',
  },
}
