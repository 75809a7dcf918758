// What the engine does on a server that is well, in one process with one server.
import './clock.suite.ts'
import './database.suite.ts'
import './erase.suite.ts'
import './fixed-recipients.suite.ts'
import './pool-of-host.suite.ts'
import './processes.suite.ts'
import './same-order.suite.ts'
import './sending.suite.ts'
