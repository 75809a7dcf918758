// Ports that Node itself answers. One process for all of it: starting one costs more than these suites.
import './contracts.suite.ts'
import './ids.suite.ts'
import './secrets.suite.ts'
import './upload.suite.ts'
