interface Words {
  readonly lang: 'en' | 'fr'
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly hint: string
  readonly button: string
  readonly passkey: string
  readonly noPasskey: string
  readonly oidc: string
  readonly noAccount: string
  readonly unverified: string
  readonly providerDown: string
  readonly email: string
  readonly password: string
  readonly code: string
  readonly byPassword: string
  readonly noPassword: string
  readonly cancelled: string
  readonly linkFor: string
  readonly otherPerson: string
  readonly signInAs: string
  readonly otherWay: string
  readonly busy: string
  readonly refused: string
  readonly tooMany: string
  readonly failed: string
}

const WORDS: ReadonlyArray<Words> = [
  {
    lang: 'en',
    title: 'Welcome to Almoner',
    lead: 'You sign in with a personal link. It works once. Open it, or paste it here.',
    label: 'Your sign-in link',
    hint: 'You have no link, or it has expired? Ask the person who runs Almoner for a new one.',
    button: 'Sign in',
    passkey: 'Sign in with a passkey',
    noPasskey: 'This passkey is not known here. Sign in with a link, then add it to your account.',
    oidc: 'Sign in with your organization',
    noAccount:
      'You are not signed in. Try again, or use a link. Is this account not known here? Ask the person who runs Almoner to add its address.',
    unverified:
      'Your organization does not confirm the address of this account. Confirm it there and try again, or use a link.',
    providerDown: 'Your organization’s sign-in does not answer. Try again in a moment, or use a link.',
    email: 'Email',
    password: 'Password',
    code: 'Code of your app, or a recovery code',
    byPassword: 'Sign in with a password',
    noPassword: 'This did not sign you in. Check email and password, and use the next code: each works once.',
    cancelled: 'No passkey was used. Try again, or use a link.',
    linkFor: 'This link signs in %name (%email).',
    otherPerson: 'This browser is signed in as %other. That session ends.',
    signInAs: 'Sign in as %name',
    otherWay: 'Not you? Use another way to sign in',
    busy: 'One moment…',
    refused: 'This link does not work. It may have been used already, or be too old. Ask for a new one.',
    tooMany: 'There were too many attempts. Wait a minute, then try again.',
    failed: 'The server did not answer. Try again in a moment.',
  },
  {
    lang: 'fr',
    title: 'Bienvenue dans Almoner',
    lead: 'Vous vous connectez avec un lien personnel, valable une seule fois. Ouvrez-le, ou collez-le ici.',
    label: 'Votre lien de connexion',
    hint: 'Pas de lien, ou un lien expiré ? Demandez-en un nouveau à la personne qui gère Almoner.',
    button: 'Se connecter',
    passkey: 'Se connecter avec une clé d’accès',
    noPasskey:
      'Cette clé d’accès n’est pas connue ici. Connectez-vous avec un lien, puis ajoutez-la à votre compte.',
    oidc: 'Se connecter avec votre organisation',
    noAccount:
      'Connexion refusée. Réessayez, ou utilisez un lien. Ce compte n’est pas connu ici ? Demandez à la personne qui gère Almoner d’ajouter son adresse.',
    unverified:
      'Votre organisation ne confirme pas l’adresse de ce compte. Confirmez-la chez elle et réessayez, ou utilisez un lien.',
    providerDown:
      'La connexion de votre organisation ne répond pas. Réessayez dans un instant, ou utilisez un lien.',
    email: 'E-mail',
    password: 'Mot de passe',
    code: 'Code de votre application, ou un code de secours',
    byPassword: 'Se connecter avec un mot de passe',
    noPassword:
      'Cela ne vous a pas connecté. Vérifiez l’e-mail et le mot de passe, et prenez le code suivant : chacun ne sert qu’une fois.',
    cancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou utilisez un lien.',
    linkFor: 'Ce lien connecte %name (%email).',
    otherPerson: 'Ce navigateur est connecté au nom de %other. Cette session prendra fin.',
    signInAs: 'Se connecter en tant que %name',
    otherWay: 'Ce n’est pas vous ? Se connecter autrement',
    busy: 'Un instant…',
    refused:
      'Ce lien ne fonctionne pas. Il a peut-être déjà servi, ou il est trop ancien. Demandez-en un nouveau.',
    tooMany: 'Trop de tentatives. Attendez une minute, puis réessayez.',
    failed: 'Le serveur n’a pas répondu. Réessayez dans un instant.',
  },
]

/** Replaces the names in a sentence by elements that the script fills. */
const withPlaces = (sentence: string): string =>
  sentence.replaceAll(/%(\w+)/g, '<span class="place" data-place="$1"></span>')

const section = (words: Words): string => `<section lang="${words.lang}">
<h1>${words.title}</h1>
<div class="step" hidden data-step="link"><p class="lead" tabindex="-1">${withPlaces(words.linkFor)}</p>
<p class="problem" data-other>${withPlaces(words.otherPerson)}</p>
<form data-act="link"><button>${withPlaces(words.signInAs)}</button></form>
<button type="button" class="second" data-act="other">${words.otherWay}</button></div>
<div class="step" data-step="ways"><p class="lead">${words.lead}</p>
<form><label for="link-${words.lang}">${words.label}</label>
<input id="link-${words.lang}" name="link" autocomplete="off" spellcheck="false" required>
<button>${words.button}</button></form>
<button type="button" class="second" hidden data-method="passkey">${words.passkey}</button>
<button type="button" class="second" hidden data-method="oidc">${words.oidc}</button>
<form hidden data-method="password"><label for="email-${words.lang}">${words.email}</label>
<input id="email-${words.lang}" name="email" type="email" autocomplete="username" required>
<label for="password-${words.lang}">${words.password}</label>
<input id="password-${words.lang}" name="password" type="password" autocomplete="current-password" required>
<label for="code-${words.lang}">${words.code}</label>
<input id="code-${words.lang}" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required>
<button class="second">${words.byPassword}</button></form>
<p class="hint">${words.hint}</p></div>
<p role="status" hidden data-state="busy">${words.busy}</p>
<p role="alert" class="problem" hidden data-state="refused">${words.refused}</p>
<p role="alert" class="problem" hidden data-state="noPasskey">${words.noPasskey}</p>
<p role="alert" class="problem" hidden data-state="noAccount">${words.noAccount}</p>
<p role="alert" class="problem" hidden data-state="unverified">${words.unverified}</p>
<p role="alert" class="problem" hidden data-state="providerDown">${words.providerDown}</p>
<p role="alert" class="problem" hidden data-state="noPassword">${words.noPassword}</p>
<p role="alert" class="problem" hidden data-state="cancelled">${words.cancelled}</p>
<p role="alert" class="problem" hidden data-state="tooMany">${words.tooMany}</p>
<p role="alert" class="problem" hidden data-state="failed">${words.failed}</p></section>`

/** The body of the sign-in page, in both languages. Its script shows one of them; without scripts both are there. */
const SIGN_IN_BODY = `<main class="sign-in">${WORDS.map(section).join('')}</main>`

const ASSETS = '/console/assets/'

/**
 * React Aria adds a style element to pages that lack the element of this id, which the policy forbids (M6). Its one rule is in our
 * style sheet.
 */
const PRESSABLE = '<meta id="react-aria-pressable-style">'

const head = (scripts: ReadonlyArray<string>, style: string): string => {
  const [entry = '', ...imports] = scripts
  const preloads = imports.map((name) => `<link rel="modulepreload" href="${ASSETS}${name}">`).join('')
  return `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">${PRESSABLE}
<title>Almoner</title><link rel="stylesheet" href="${ASSETS}${style}">${preloads}
<script type="module" src="${ASSETS}${entry}"></script>`
}

/** Returns the page of the console for signed-in people. The first script is the entry, the others are loaded with it. */
export const appPage = (scripts: ReadonlyArray<string>, style: string): string =>
  `<!doctype html><html lang="en"><head>${head(scripts, style)}</head><body><div id="root"></div>
<noscript><p>The console needs JavaScript. · La console a besoin de JavaScript.</p></noscript></body></html>
`

/** Returns the page where people sign in with their link. It works without React. */
export const signInPage = (scripts: ReadonlyArray<string>, style: string): string =>
  `<!doctype html><html lang="en"><head>${head(scripts, style)}</head><body>${SIGN_IN_BODY}</body></html>
`
