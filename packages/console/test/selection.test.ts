// Acts on many entries, and the palette. One process: starting it, and its browser, takes three seconds.
import './bulk.suite.ts'
import './palette.suite.ts'
