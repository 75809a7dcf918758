/** Shown when the server does not answer at the start: the person's language is not known yet. */
export const StartFailed = ({ onRetry }: { readonly onRetry: () => void }) => (
  <main className="start-failed">
    <p role="alert">
      The server does not answer. · <span lang="fr">Le serveur ne répond pas.</span>
    </p>
    <button type="button" className="button" onClick={onRetry}>
      Try again · <span lang="fr">Réessayer</span>
    </button>
  </main>
)
