import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the foreign service shares no code with the program, its sandbox and its contract', () => {
  const folder = 'test/foreign/service';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(15);
  const imports = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? ''),
  );
  expect(imports.filter((from) => !/^(node:|\.{1,2}\/(?!.*src\/))/.test(from))).toEqual([]);
});
