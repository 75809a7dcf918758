// Secrets and personal data, and where they may appear. One process for all suites: starting one costs seconds.
import './canary-faults.suite.ts'
import './logs-canary.suite.ts'
