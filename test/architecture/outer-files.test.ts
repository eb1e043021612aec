import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wayToProcesses } from './process-rules.ts';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name));

it('a test file that imports what starts processes is named *.outer.test.ts', () => {
  const inner = files.filter((file) => !file.endsWith('.outer.test.ts'));
  expect(inner.length).toBeGreaterThan(100);
  expect(inner.flatMap((file) => wayToProcesses(file)?.join(' > ') ?? [])).toEqual([]);
});
