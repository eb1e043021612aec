import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('has the licence, the notice and the licences of borrowed parts of every bundled package', () => {
  const text = readFileSync('dist/cli/THIRD-PARTY-LICENSES.txt', 'utf8');
  const echarts = text.split(`\n${'-'.repeat(80)}\n`).find((part) => /^\s*echarts \d/.test(part)) ?? '';
  expect(echarts).toContain('Apache License');
  expect(echarts).toContain('This product includes software developed at');
  expect(echarts).toContain('Mike Bostock');
  for (const name of ['zrender', 'tslib']) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
});
