import type { passwords as english } from '../en/passwords.ts'
import { counted } from './counts.ts'

/** The French words of the password on the account page. */
export const passwords: typeof english = {
  passwords: {
    title: 'Mot de passe avec codes',
    text: 'Un mot de passe vous connecte avec un code d’une application d’authentification de votre téléphone, sans lien.',
    setUp: 'Définir un mot de passe',
    changed: (day) => `changé le ${day}`,
    used: (day) => `dernier usage le ${day}`,
    left: (count) => counted(count, 'code de secours restant', 'codes de secours restants'),
    change: 'Changer le mot de passe',
    newPhone: 'Nouveau téléphone',
    renew: 'Nouveaux codes de secours',
    remove: 'Retirer le mot de passe',
    password: 'Nouveau mot de passe',
    passwordHint: 'Au moins 12 caractères, quels qu’ils soient. Une phrase convient.',
    scan: 'Scannez ceci avec une application d’authentification, par exemple votre gestionnaire de mots de passe.',
    qrLabel: 'Code QR avec le secret pour l’application',
    orOpen: 'Ouvrir l’application sur cet appareil',
    secret: 'Ou saisissez ce secret dans l’application',
    code: 'Code affiché par l’application',
    setUpAct: 'Définir le mot de passe',
    changeAct: 'Changer le mot de passe',
    othersEnd: 'Vos autres sessions prennent fin.',
    set: 'Votre mot de passe est défini. Vos autres sessions sont terminées.',
    changeDone: 'Votre mot de passe a changé. Vos autres sessions sont terminées.',
    removed: 'Votre mot de passe est retiré. Vos autres sessions sont terminées.',
    renewTitle: 'Créer de nouveaux codes de secours ?',
    renewText: 'Les codes précédents ne fonctionneront plus. Vos autres sessions prennent fin.',
    removeTitle: 'Retirer votre mot de passe ?',
    removeText: 'Le mot de passe et les codes ne vous connecteront plus. Vos autres sessions prennent fin.',
    codesTitle: 'Vos codes de secours',
    codesText:
      'Chacun vous connecte une fois, avec votre mot de passe, quand votre téléphone n’est pas là. Imprimez-les ou gardez-les en lieu sûr : ils ne seront plus affichés.',
    codes: 'Codes de secours',
    copy: 'Copier les codes',
    copied: 'Copié.',
    print: 'Imprimer',
    codesDone: 'Je les ai gardés',
  },
}
