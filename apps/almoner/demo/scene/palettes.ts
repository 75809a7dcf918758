import type { Palette } from './palette.ts'

const dawn: Palette = {
  sky: ['#f3a893', '#fdeacf'],
  sun: '#fff4de',
  hills: ['#eeb3a0', '#c98490', '#8f6382', '#5c4a70'],
  water: ['#fbd9c4', '#b4839b'],
  leaf: ['#7fa392', '#456f70'],
  wall: '#fff6ea',
  roof: '#dd5b4d',
  bright: '#f7b955',
  ink: '#37294d',
  tree: 'round',
  dark: false,
}

const savanna: Palette = {
  sky: ['#f2ad5a', '#fcebc2'],
  sun: '#fff6da',
  hills: ['#e8b877', '#d0914f', '#a86b3c', '#7d4d2f'],
  water: ['#b9dccb', '#4c8f8b'],
  leaf: ['#94a350', '#566f37'],
  wall: '#fff3dc',
  roof: '#b5432f',
  bright: '#f2803a',
  ink: '#402820',
  tree: 'acacia',
  dark: false,
}

const lagoon: Palette = {
  sky: ['#62c3cd', '#e3f5e6'],
  sun: '#fff8dc',
  hills: ['#9ad6c9', '#5bb3ac', '#2f878b', '#1b6270'],
  water: ['#b5ebe2', '#2a8f9f'],
  leaf: ['#55b58a', '#23785f'],
  wall: '#fffaf0',
  roof: '#f0695a',
  bright: '#ffc252',
  ink: '#123f4d',
  tree: 'palm',
  dark: false,
}

const meadow: Palette = {
  sky: ['#86c8ee', '#f1f8e2'],
  sun: '#fff5bf',
  hills: ['#bcdc9f', '#8dc476', '#5ba35c', '#347f4e'],
  water: ['#c6e9f3', '#4a9dc2'],
  leaf: ['#78bb5e', '#2f7d4f'],
  wall: '#fffdf4',
  roof: '#e5674a',
  bright: '#f8c443',
  ink: '#20433a',
  tree: 'round',
  dark: false,
}

const harvest: Palette = {
  sky: ['#f4cd7c', '#fdf5dc'],
  sun: '#fffaea',
  hills: ['#edcb73', '#d2a944', '#95973f', '#5c7336'],
  water: ['#cfe5d6', '#5b9a95'],
  leaf: ['#a3b64c', '#557a36'],
  wall: '#fffaeb',
  roof: '#c2512f',
  bright: '#e88d2c',
  ink: '#353c20',
  tree: 'poplar',
  dark: false,
}

const monsoon: Palette = {
  sky: ['#86a8b6', '#e9ece0'],
  sun: '#faf5e0',
  hills: ['#b1c4b7', '#80a59a', '#4f8079', '#305d58'],
  water: ['#d5e5df', '#5c8f9a'],
  leaf: ['#86ad6d', '#447359'],
  wall: '#fbf7ea',
  roof: '#d4802f',
  bright: '#ecc45a',
  ink: '#213d42',
  tree: 'pine',
  dark: false,
}

const dusk: Palette = {
  sky: ['#3f3c80', '#f4a08a'],
  sun: '#ffe0b0',
  hills: ['#b56e93', '#7f528c', '#54437c', '#342f60'],
  water: ['#eda698', '#554a8c'],
  leaf: ['#6a86a8', '#3a5480'],
  wall: '#ffecdd',
  roof: '#ea6659',
  bright: '#ffc660',
  ink: '#201d47',
  tree: 'round',
  dark: true,
}

const night: Palette = {
  sky: ['#101d42', '#4a7fa3'],
  sun: '#fdf3d3',
  hills: ['#44759a', '#2f597e', '#1f4163', '#14304e'],
  water: ['#6aa2bd', '#1b3f67'],
  leaf: ['#468b88', '#205963'],
  wall: '#f0e8da',
  roof: '#df7a50',
  bright: '#ffd273',
  ink: '#0b1833',
  tree: 'pine',
  dark: true,
}

export const palettes = { dawn, savanna, lagoon, meadow, harvest, monsoon, dusk, night }

export type PaletteName = keyof typeof palettes
