import { circle, ellipse, path, place, stroke, turn } from '../../../scene/svg.ts'
import { around, disc, type Logo } from './badge.ts'

const WHITE = '#ffffff'

/** A stem with a leaf to either side, over a furrow. */
const agriculture: Logo = () =>
  [
    disc('#5b8c3e'),
    stroke('M0,26V-14', WHITE, 5),
    path('M0,4C-2,-14 -16,-22 -29,-20C-28,-6 -16,4 0,4Z', WHITE),
    path('M0,-10C1,-25 14,-33 27,-32C27,-19 16,-9 0,-10Z', '#d9ebb5'),
    stroke('M-26,28Q-13,21 0,28T26,28', '#d9ebb5', 4.5),
  ].join('')

/** Two masks, one that laughs and one that listens. */
const culture: Logo = () =>
  [
    disc('#b4456b'),
    place(
      12,
      6,
      1,
      turn(
        10,
        path('M-17,-21Q0,-15 17,-21V0Q17,20 0,26Q-17,20 -17,0Z', '#f5c6d4'),
        ellipse(-7, -4, 3.4, 2.4, '#8e2f52') + ellipse(7, -4, 3.4, 2.4, '#8e2f52'),
        stroke('M-6,13Q0,8 6,13', '#8e2f52', 3),
      ),
    ),
    place(
      -11,
      -5,
      1,
      turn(
        -8,
        path('M-18,-22Q0,-16 18,-22V0Q18,21 0,27Q-18,21 -18,0Z', WHITE),
        ellipse(-7.5, -4, 3.6, 2.6, '#b4456b') + ellipse(7.5, -4, 3.6, 2.6, '#b4456b'),
        path('M-9,7Q0,11 9,7Q7,17 0,17Q-7,17 -9,7Z', '#b4456b'),
      ),
    ),
  ].join('')

/** An open book under a star. */
const education: Logo = () =>
  [
    disc('#d98324'),
    path('M-1.5,27Q-14,18 -32,20V-8Q-14,-10 -1.5,-1Z', WHITE),
    path('M1.5,27Q14,18 32,20V-8Q14,-10 1.5,-1Z', '#ffe3b8'),
    stroke('M-25,0Q-16,0 -8,4M-25,9Q-16,9 -8,13', '#d98324', 2.6),
    stroke('M25,0Q16,0 8,4M25,9Q16,9 8,13', '#d98324', 2.6),
    place(
      0,
      -24,
      1,
      around(5, () => path('M0,-11L3.6,0H-3.6Z', WHITE)),
      circle(0, 0, 3.9, WHITE),
    ),
  ].join('')

/** A heart with a beat in it. */
const health: Logo = () =>
  [
    disc('#cf4b46'),
    path(
      'M0,30C-24,13 -33,1 -33,-11C-33,-22 -25,-28 -17,-28C-9,-28 -3,-23 0,-17C3,-23 9,-28 17,-28C25,-28 33,-22 33,-11C33,1 24,13 0,30Z',
      WHITE,
    ),
    stroke('M-24,-2H-11L-5,-13L4,10L10,-2H24', '#cf4b46', 4.4),
  ].join('')

/** Three people arm in arm, none like another. */
const inclusion: Logo = () =>
  [
    disc('#7357a4'),
    circle(-21, -11, 7, '#dccdf2') + circle(21, -7, 7, '#dccdf2') + circle(0, -20, 8, WHITE),
    path('M-33,22Q-33,-1 -21,-1Q-12,-1 -10,8L-12,22Z', '#dccdf2'),
    path('M33,22Q33,3 21,3Q13,3 11,10L12,22Z', '#dccdf2'),
    path('M-14,26Q-15,-8 0,-8Q15,-8 14,26Z', WHITE),
    stroke('M-27,12Q-14,20 -4,10M27,14Q14,21 4,10', '#7357a4', 3),
  ].join('')

/** A drop over two waves. */
const water: Logo = () =>
  [
    disc('#2f86b5'),
    path('M0,-36C9,-22 16,-14 16,-4A16,16 0 0 1 -16,-4C-16,-14 -9,-22 0,-36Z', WHITE),
    stroke('M-8,-3A8,8 0 0 0 0,5', '#2f86b5', 3.4),
    stroke('M-30,20Q-22,13 -15,20T0,20T15,20T30,20', '#bfe3f5', 5),
    stroke('M-20,32Q-13,26 -7,32T7,32T20,32', '#bfe3f5', 4),
  ].join('')

/** The sectors’ logos by the id of the sector. */
export const sectorLogos: Readonly<Record<string, Logo>> = {
  agriculture,
  culture,
  education,
  health,
  inclusion,
  water,
}
