import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/internals/proofs.md has a row with the result of each proof', () => {
  const names = [
    ...readFileSync('scripts/proof.ts', 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: (?:async )?\(\)/gm),
  ];
  expect(names.length).toBeGreaterThan(30);
  const rows = readFileSync('docs/internals/proofs.md', 'utf8').split('\n');
  const missing = names
    .map(([, name = '']) => name)
    .filter((name) => !rows.some((row) => row.includes(`\`npm run proof -- ${name}\``)));
  expect(missing).toEqual([]);
});
