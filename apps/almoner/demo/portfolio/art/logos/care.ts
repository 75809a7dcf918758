import { circle, element, ellipse, path, place, rect, stroke, turn } from '../../../scene/svg.ts'
import { around, disc, type Logo, tile } from './badge.ts'

/** A cross for care, never red on white: that emblem is protected. */
const cross = (size: number, colour: string): string =>
  place(0, 0, size, path('M-3,-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z', colour))

const ring = (x: number, y: number, r: number, colour: string, width: number): string =>
  element('circle', { cx: x, cy: y, r, fill: 'none', stroke: colour, 'stroke-width': width })

/** Lunzira Bicycle Nurses: two wheels, and what they carry. */
const lunzira: Logo = () =>
  [
    disc('#e4572e'),
    ring(-20, 15, 14, '#fff3e6', 5) + ring(20, 15, 14, '#fff3e6', 5),
    stroke('M-20,15L-9,-6H12L0,15ZM20,15L11,-12H18', '#fff3e6', 4.4),
    place(-12, -20, 1, rect(-12, -9, 24, 18, '#ffc857', { rx: 3.5 }), cross(0.66, '#2a7a4b')),
  ].join('')

/** Nouka Floating Clinics: a boat under sail, a cross on its mainsail. */
const nouka: Logo = () =>
  [
    tile('#13747d'),
    path('M3,-37V9H32Q27,-21 3,-37Z', '#fdf3dc'),
    path('M-2,-27V9H-26Q-20,-14 -2,-27Z', '#f6c667'),
    place(14, -7, 1, cross(0.72, '#13747d')),
    path('M-37,14Q0,22 37,13Q32,29 18,30H-18Q-32,29 -37,14Z', '#d1495b'),
    stroke('M-34,38Q-26,32 -17,38T0,38T17,38T34,38', '#8ed6d1', 4),
  ].join('')

/** Ñawi Andina: an eye that has the mountains in it. */
const nawi: Logo = () =>
  [
    disc('#3b2a63'),
    path('M-41,4Q0,-36 41,4Q0,44 -41,4Z', '#fdf1e3'),
    circle(0, 4, 20, '#f39c5a'),
    path('M-19.6,8L-8,-6L-1,2L7,-9L19.2,9.4A20,20 0 0 1 -19.6,8Z', '#3f7d8c'),
    path('M-11.5,-1.8L-8,-6L-4.3,-1.8L-7.6,0ZM2.2,-2.2L7,-9L11.8,-2L7.2,-0.2Z', '#ffffff'),
    circle(-10, -10, 2.6, '#fff6d6'),
    stroke('M0,-27V-37M-17,-23L-22,-32M17,-23L22,-32M-31,-14L-38,-20M31,-14L38,-20', '#f39c5a', 4),
  ].join('')

/** Ìlera Village Midwives: one who holds and one who is held. */
const ilera: Logo = () =>
  [
    disc('#f4c7b5'),
    circle(-4, -25, 10, '#8a3b2e'),
    path('M-30,34C-32,2 -20,-12 -4,-12C16,-12 27,6 24,34Z', '#b8483b'),
    path('M-22,16C-14,-4 14,-4 26,8C29,22 16,33 0,33C-12,33 -20,26 -22,16Z', '#fff3e2'),
    circle(11, 7, 7.4, '#8a3b2e'),
    path('M-12,20Q0,9 15,17Q12,28 0,28Q-8,27 -12,20Z', '#f2a541'),
  ].join('')

/** Postas de Luz: the sun as a panel, a cross as its middle. */
const postas: Logo = () =>
  [
    around(12, (at) => path('M-5,-35L0,-48L5,-35Z', at % 2 === 0 ? '#f6a821' : '#f9cf72')),
    circle(0, 0, 32, '#1d4e89'),
    stroke('M-26,-17H26M-26,17H26M-17,-26V26M17,-26V26', '#4f86c6', 2.4),
    path('M-9,-23H9V-9H23V9H9V23H-9V9H-23V-9H-9Z', '#ffffff'),
    circle(0, 0, 6, '#f6a821'),
  ].join('')

/** Maji Karibu: a drop with a door that stands open. */
const maji: Logo = () =>
  [
    path('M0,-49C15,-27 34,-11 34,13A34,34 0 0 1 -34,13C-34,-11 -15,-27 0,-49Z', '#1b7fb5'),
    path('M0,-49C15,-27 34,-11 34,13A34,34 0 0 1 0,47Z', '#15699a'),
    path('M-19,9L0,-9L19,9V30H-19Z', '#f4f8ef'),
    stroke('M-25,11L0,-13L25,11', '#f2c14e', 5.4),
    path('M-7,30V17A7,7 0 0 1 7,17V30Z', '#1b7fb5'),
    circle(3.6, 23, 1.4, '#f2c14e'),
  ].join('')

/** Nước Sạch Thượng Nguồn: the spring in the mountains and the three streams it becomes. */
const nuoc: Logo = () =>
  [
    disc('#e8f4ee'),
    path('M-40,10L-14,-29L0,-10L11,-22L40,10Z', '#2a7f62'),
    path('M-22,-17L-14,-29L-5.6,-17.6L-11,-13L-15,-17Z', '#ffffff'),
    stroke('M-34,14Q-17,4 0,14T34,14', '#2e9cca', 6),
    stroke('M-31,25Q-15,15 0,25T31,25', '#5db7de', 6),
    stroke('M-23,36Q-11,27 0,36T23,36', '#9bd3ec', 6),
    circle(20, -28, 7, '#f3b340'),
  ].join('')

/** Second Harbour: an anchor under a rising sun. */
const harbour: Logo = () =>
  [
    tile('#233a5e'),
    path('M-20,-10A20,20 0 0 1 20,-10Z', '#f4a259'),
    stroke('M0,-35V-41M-17,-28L-21,-33M17,-28L21,-33M-25,-14L-32,-16M25,-14L32,-16', '#f4a259', 4),
    stroke('M0,-5V33', '#f7f3e8', 5.4),
    stroke('M-11,5H11', '#f7f3e8', 5),
    stroke('M-27,15Q-24,33 0,34Q24,33 27,15', '#f7f3e8', 5.4),
    path('M-34,20L-27,8L-19,19ZM34,20L27,8L19,19Z', '#f7f3e8'),
  ].join('')

/** Atelier Zwölf: twelve places around one table. */
const zwoelf: Logo = () => {
  const colours = ['#e63946', '#f4a261', '#2a9d8f', '#457b9d']
  return [
    around(12, (at) => circle(0, -38, at === 0 ? 10 : 7.6, colours[at % 4] ?? '#e63946')),
    circle(0, 0, 23, '#1d3557'),
    turn(0, stroke('M0,0V-14M0,0L10,6', '#f1faee', 4.6)),
    ellipse(0, 0, 3.4, 3.4, '#f4a261'),
  ].join('')
}

/** The logos of those who heal, shelter and bring water, by the id of the organization. */
export const careLogos: Readonly<Record<string, Logo>> = {
  'atelier-zwoelf': zwoelf,
  'ilera-midwives': ilera,
  'lunzira-bicycle-nurses': lunzira,
  'maji-karibu': maji,
  'nawi-andina': nawi,
  'nouka-clinics': nouka,
  'nuoc-sach': nuoc,
  'postas-de-luz': postas,
  'second-harbour': harbour,
}
