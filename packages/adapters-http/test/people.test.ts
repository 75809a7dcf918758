// Users, devices, preferences and notifications. One process for all of it: starting one costs more than most of these suites.
import './people-identity.suite.ts'
import './people-kinds.suite.ts'
import './people-paths.suite.ts'
import './people-preference.suite.ts'
import './people-tokens.suite.ts'
import './notifications-create.suite.ts'
import './notifications-delivery.suite.ts'
import './notifications-list.suite.ts'
