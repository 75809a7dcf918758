// Parts of the program that need no server. One process for all of it: starting one costs more than these suites.
import './faults.suite.ts'
import './job-log.suite.ts'
import './launcher.suite.ts'
import './log-destination.suite.ts'
import './metrics-server.suite.ts'
import './push-credentials.suite.ts'
import './worker-messages.suite.ts'
import './worker-pool.suite.ts'
