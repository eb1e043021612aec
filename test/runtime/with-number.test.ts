import { expect, it } from 'vitest';
import { titleOf } from '../../src/runtime/with-number.ts';

it.each([
  [{ id: 7, name: 'Ann Lee', extensionNumber: '101' }, 'Ann Lee (101)'],
  [{ id: 7, name: 'Ann Lee' }, 'Ann Lee'],
  [{ id: 7, name: '', extensionNumber: '101' }, '101'],
  [{ id: 7, name: '' }, 'ID 7'],
])('the title of %j is "%s"', (extension, title) => {
  expect(titleOf(extension)).toBe(title);
});
