// How people sign in, and the pages of operators. One process: starting it, and its browser, takes three seconds.
import './managers.suite.ts'
import './oidc.suite.ts'
import './operations.suite.ts'
import './operators.suite.ts'
import './passkeys.suite.ts'
import './passwords.suite.ts'
