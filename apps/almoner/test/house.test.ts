// Archives and copies of a house. One process for all of it: starting one costs as much as most of these suites.
import './media-sweep.suite.ts'
import './house-backup.suite.ts'
import './house-engines.suite.ts'
import './house-export.suite.ts'
import './maintenance.suite.ts'
