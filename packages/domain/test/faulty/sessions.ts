import type { TokenDigest } from '@almoner/domain/access'
import type { ActiveSession, Session } from '@almoner/domain/managers'
import { addMillis } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'

const sessionIn = (change: (session: Session) => Session) =>
  O.map((active: ActiveSession) => ({ ...active, session: change(active.session) }))

/** Faults of sessions, one-time secrets and preview tokens. */
export const SESSION_FAULTS: Faults<'sessions' | 'oneTimeSecrets' | 'previewTokens'> = {
  previewTokens: {
    'finds a preview token at its end': [
      'A11: a preview token is found until it expires',
      ({ find }) => ({ find: (digest, now) => find(digest, addMillis(now, -1)) }),
    ],
    'shows another text of the item': [
      'A11: a preview token is found until it expires, with the one text that it shows',
      ({ add }) => ({ add: (token) => add({ ...token, text: 'item' }) }),
    ],
    'purges preview tokens that count': [
      'A11: preview tokens that have expired are purged, and no others',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, 10)) }),
    ],
    'forgets how long a preview token was to live': [
      'I9: a preview token of a clock that was set back',
      ({ add }) => ({ add: (token) => add({ ...token, life: Number.MAX_SAFE_INTEGER }) }),
    ],
  },
  sessions: {
    'forgets the browser': [
      'M4: a session is found with its manager',
      ({ find }) => ({
        find: returning(
          find,
          sessionIn((session) => ({ ...session, browser: '' })),
        ),
      }),
    ],
    'finds a session at its idle end': [
      'M4: a session is found with its manager until its idle end',
      ({ find }) => ({ find: (digest, now) => find(digest, addMillis(now, -1)) }),
    ],
    'finds many sessions, whether or not they count': [
      'A9: of many sessions, those that count are found together',
      () => ({ current: (digests) => TE.right(new Set(digests)) }),
    ],
    'lengthens a session beyond its end': [
      'M4: use puts the idle end off, never the absolute end',
      ({ open }) => ({
        open: (session, proof) => open({ ...session, endsAt: addMillis(session.endsAt, 1000) }, proof),
      }),
    ],
    'does not note the use of a session': [
      'M4: use puts the idle end off',
      () => ({ touch: () => TE.right(undefined) }),
    ],
    'takes a use for a proof of presence': [
      'M4: when the person last proved presence',
      ({ find, touch }) => {
        const uses = new Map<TokenDigest, Session['lastSeenAt']>()
        return {
          touch: (use) => {
            uses.set(use.digest, use.lastSeenAt)
            return touch(use)
          },
          find: returning(
            find,
            sessionIn((session) => ({
              ...session,
              confirmedAt: uses.get(session.digest) ?? session.confirmedAt,
            })),
          ),
        }
      },
    ],
    'takes the sign-in for the proof of presence': [
      'M4: when the person last proved presence',
      ({ open }) => ({
        open: (session, proof) => open({ ...session, confirmedAt: session.openedAt }, proof),
      }),
    ],
    'lists sessions without their browsers': [
      'M4: sessions end one by one, or all of a manager',
      ({ of }) => ({ of: returning(of, (all) => all.map((session) => ({ ...session, browser: '' }))) }),
    ],
    'lists the oldest session first': [
      'M4: sessions end one by one, or all of a manager',
      ({ of }) => ({
        of: returning(of, (all) => all.toReversed()),
      }),
    ],
    'ends the session that is excepted': [
      'M4: all sessions but one are ended',
      ({ endAll }) => ({ endAll: (email, { except: _except, ...rest } = {}) => endAll(email, rest) }),
    ],
    'purges sessions at their end': [
      'purging deletes ended sessions only',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, 1)) }),
    ],
    'opens a session with a link that was used': [
      'M3: no session opens by what was checked before the link was used',
      ({ open }, { oneTimeSecrets }) => ({
        open: (session, proof) => async () => {
          const { credential } = proof
          const opened = await open(session, proof)()
          if (credential.way === 'link') {
            const { email, endsAt: expiresAt } = session
            await oneTimeSecrets.put({ digest: credential.link, purpose: 'sign-in', email, expiresAt })()
          }
          return opened
        },
      }),
    ],
    'opens a session for another duty': [
      'M3: no session opens by what was checked before the duty was changed',
      ({ open }, { managers }) => ({
        open: (session, proof) =>
          pipe(
            managers.find(session.email),
            TE.flatMap((found) =>
              open(session, { ...proof, duty: O.isSome(found) ? found.value.duty : proof.duty }),
            ),
          ),
      }),
    ],
    'opens a session with an identity that was replaced': [
      'M3: no session opens by what was checked before the identity was replaced',
      ({ open }, { identities }) => ({
        open: (session, proof) =>
          pipe(
            identities.of(session.email),
            TE.flatMap((found) =>
              open(session, {
                ...proof,
                credential:
                  proof.credential.way === 'oidc' && O.isSome(found)
                    ? { way: 'oidc', identity: found.value }
                    : proof.credential,
              }),
            ),
          ),
      }),
    ],
    'does not count wrong codes': [
      'M9: ten wrong codes after a right password',
      ({ open }) => ({
        open: (session, proof) =>
          proof.credential.way === 'password' && O.isNone(proof.credential.usedBy(O.none))
            ? TE.right(O.none)
            : open(session, proof),
      }),
    ],
    'counts a session of a clock that was ahead': [
      'I9: a session of a clock that was set back',
      ({ find }) => ({
        find: (digest, now) =>
          pipe(
            find(digest, now),
            TE.flatMap((found) =>
              O.isSome(found) ? TE.right(found) : find(digest, addMillis(now, 120_000)),
            ),
          ),
      }),
    ],
  },
  oneTimeSecrets: {
    'leaves a secret that is taken': [
      'M2: a one-time secret works once',
      ({ find }) => ({ take: (...given) => find(...given) }),
    ],
    'uses up a secret that is looked at': [
      'M2: a one-time secret is found without being used up',
      ({ take }) => ({ find: (...given) => take(...given) }),
    ],
    'accepts a secret at its end': [
      'M2: a one-time secret expires',
      ({ take }) => ({ take: (digest, purpose, now) => take(digest, purpose, addMillis(now, -1)) }),
    ],
    'accepts a secret for any purpose': [
      'M3: a challenge has no manager yet, and works for its purpose only',
      ({ take }) => ({
        take: (digest, purpose, now) =>
          pipe(
            take(digest, purpose, now),
            TE.flatMap((taken) => (O.isSome(taken) ? TE.right(taken) : take(digest, 'passkey-sign-in', now))),
          ),
      }),
    ],
    'stores a secret of a disabled manager': [
      'A9, M2: a manager who is disabled or erased gets no secret',
      ({ put }) => ({
        put: (...given) => ignoring('ManagerDisabled')(put(...given)),
      }),
    ],
    'purges secrets at their end': [
      'purging deletes expired one-time secrets only',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, 1)) }),
    ],
    'forgets how long a secret lives': [
      'M2: a one-time secret is found without being used up',
      ({ put }) => ({ put: ({ life: _life, ...secret }, act) => put(secret, act) }),
    ],
    'leaves no record of a link': [
      'K1, M4: links and ended sessions of managers leave records',
      ({ put }) => ({ put: (secret) => put(secret) }),
    ],
  },
}
