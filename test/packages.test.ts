// What is published, as those who install it have it. One process for all of it: the packages are built and packed once.
import './packages/examples.suite.ts'
import './packages/packed.suite.ts'
import './packages/reference.suite.ts'
