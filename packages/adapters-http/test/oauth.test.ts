// Tokens: how they are asked for, sent and ended. One process for all of it: starting one costs more than most of these suites.
import './oauth-errors.suite.ts'
import './oauth-guessing.suite.ts'
import './oauth-rate-limit.suite.ts'
import './oauth-revoke.suite.ts'
import './oauth-storage.suite.ts'
import './oauth-token.suite.ts'
import './token-places.suite.ts'
import './token-scopes.suite.ts'
