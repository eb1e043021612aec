import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callActions, callResults, legTypes } from '../../src/contract/enums.ts';

it.each([
  ['CALL-20', callActions],
  ['CALL-21', callResults],
  ['CALL-22', legTypes],
])('%s lists the values of the contract', (rule, values) => {
  const [, listed] =
    new RegExp(`\\*\\*${rule}\\*\\* .*: (.*)\\.$`, 'm').exec(readFileSync('docs/spec/call-log.md', 'utf8')) ??
    [];
  expect(listed?.split(', ')).toEqual(values);
});
