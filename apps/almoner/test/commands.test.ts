// Commands, each in its own process. One more for all that start them: it costs as much as most of these suites.
import './commands.suite.ts'
import './doctor.suite.ts'
import './doctor-machine.suite.ts'
import './notification-commands.suite.ts'
import './notification-test.suite.ts'
import './translations.suite.ts'
