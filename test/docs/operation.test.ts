import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = [
  'src/features/service/metrics.ts',
  'src/commands/fleet/worker-metrics.ts',
  'src/commands/webhook/receiver-metrics.ts',
  'src/commands/events/consumer-metrics.ts',
];

it('docs/operation.md describes each metric, and no other', () => {
  const defined = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'((?:ucctl|process)_[a-z_]+)'/g)].map(([, name]) => name),
  );
  const rows =
    readFileSync('docs/operation.md', 'utf8').split('| Metric | Meaning |')[1]?.split('\n\n')[0] ?? '';
  const described = [...rows.matchAll(/`((?:ucctl|process)_[a-z_]+)`/g)].map(([, name]) => name);
  expect(described.length).toBeGreaterThan(20);
  expect(described).toHaveLength(new Set(described).size);
  expect(new Set(described)).toEqual(new Set(defined));
});
