import { expect, it } from 'vitest';
import { settingText } from '../../src/platform/setting-text.ts';

it.each([
  [
    [{ callerId: '+14155550100', name: 'Ada' }, { callerId: '+14155550101' }],
    '+14155550100 (Ada), +14155550101',
  ],
  [[{ name: 'Ada' }], 'Ada'],
  [[{ phoneNumber: '+14155550102' }], '+14155550102'],
  [{ ref: 'AfterHours' }, 'after hours'],
])('%j is shown as %s', (value, text) => {
  expect(settingText(value)).toBe(text);
});

it.each([
  [[]],
  [['+14155550100']],
  [[{ callerId: 5 }]],
  [[{ callerId: '+14155550100', other: 1 }]],
  [[{ callerId: '+14155550100', phoneNumber: '+14155550101' }]],
  [[{}]],
  ['text'],
])('%j has a member or a form that the text would hide', (value) => {
  expect(settingText(value)).toBeUndefined();
});
