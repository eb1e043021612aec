import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitViolations } from './wait-rules.ts';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('test', name));

describe('waits and limits of tests', () => {
  it('come from test/support/limits.ts and test/support/eventually.ts', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((file) => waitViolations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    [`await vi.waitFor(() => expect(seen).toBe(1));`, 'waits by vi.waitFor'],
    [`await vi.waitUntil(() => seen);`, 'waits by vi.waitUntil'],
    [`await expect.poll(() => seen, { timeout: 5 }).toBe(1);`, 'waits by expect.poll'],
    [`it('x', () => undefined, 60_000);`, 'has a limit of its own'],
    [`it('x', { timeout: 5 }, () => undefined);`, 'has a limit of its own'],
    [`it.each([1])('x', () => undefined, limit);`, 'has a limit of its own'],
    [`describe.skipIf(no)('x', { timeout: limit }, () => undefined);`, 'has a limit of its own'],
    [`beforeAll(() => undefined, 60_000);`, 'has a limit of its own'],
    [`vi.setConfig({ testTimeout: 1 });`, 'waits by vi.setConfig'],
    [`expect(performance.now() - started).toBeLessThan(5000);`, 'measures a wall time'],
    [`expect(Date.now() - started).toBeLessThan(5000);`, 'measures a wall time'],
    [`expect(end.milliseconds).toBeLessThan(5000);`, 'asserts a wall time'],
  ])('are rejected elsewhere: %s', (source, problem) => {
    expect(waitViolations('test/x.test.ts', source)).toEqual([`test/x.test.ts:1 ${problem}`]);
  });

  it.each([
    `await eventually(() => expect(seen).toBe(1));`,
    `it.each([[1, 2]])('x', () => undefined);`,
    `it('x', { skip: true }, async () => undefined);`,
    `const startTime = Date.now() - 2 * hour;`,
    `beforeAll(() => undefined);`,
  ])('are accepted: %s', (source) => {
    expect(waitViolations('test/x.test.ts', source)).toEqual([]);
  });
});
