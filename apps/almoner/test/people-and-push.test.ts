// Commands that run in the process of the test, together in one.
import './client-commands.suite.ts'
import './demo-content.suite.ts'
import './missing-provider.suite.ts'
import './personal-data.suite.ts'
import './push-commands.suite.ts'
import './settings.suite.ts'
import './settings-together.suite.ts'
import './user-commands.suite.ts'
