// What needs no provider. One process for all of it: starting one costs more than these suites.
import './file-gateway.suite.ts'
import './pacing.suite.ts'
import './post.suite.ts'
import './router.suite.ts'
import './log-gateway.suite.ts'
import './retry-after.suite.ts'
