import { expect, it } from 'vitest';
import { statusStyle } from '../../src/output/status-style.ts';

it.each([
  ['Available', 'good'],
  ['+ available', 'good'],
  ['# on a call', 'good'],
  ['* ringing', 'warning'],
  ['x queue calls off', 'warning'],
  ['. offline', 'dim'],
  ['? unknown', 'bad'],
  ['something else', undefined],
])('%s has the colour of its meaning: %s', (status, style) => expect(statusStyle(status)).toBe(style));
