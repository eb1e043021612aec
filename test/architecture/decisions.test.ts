import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = 'docs/adr';
const decisions = readdirSync(folder);

const readers = ['src', 'test', 'scripts', 'bench', 'docs'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|md)$/.test(name))
    .map((name) => join(root, name)),
);

describe('the decisions', () => {
  it('have a unique number, which their first line repeats', () => {
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const name of decisions) {
      const [title = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
      expect(`${name}: ${title}`).toContain(`# ${Number(name.slice(0, 4))}. `);
    }
  });

  it('are at the paths that other files cite', () => {
    const named = readers.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/docs\/adr\/([\w.-]*\w)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !decisions.includes(name))).toEqual([]);
  });
});
