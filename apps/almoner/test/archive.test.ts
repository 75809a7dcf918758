// Archives and copies of a service. One process for all of it: starting one costs as much as most of these suites.
import './media-sweep.suite.ts'
import './archive-backup.suite.ts'
import './archive-engines.suite.ts'
import './archive-export.suite.ts'
import './maintenance.suite.ts'
