import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Matches the name of a file that a file of the program loads when it is loaded itself. */
const loaded = /(?:(?:const|let|var)\s+|,)[\w$]+=require\("\.\/([^"]+)"\)/g;

/** The files of the program with the files that each of them loads when it is loaded itself. */
function filesOfProgram(): ReadonlyMap<string, readonly string[]> {
  const names = readdirSync('dist/cli').filter((name) => name.endsWith('.cjs'));
  return new Map(
    names.map((name) => {
      const text = readFileSync(`dist/cli/${name}`, 'utf8');
      return [name, Array.from(text.matchAll(loaded), ([, other = '']) => other)];
    }),
  );
}

test('no file that the start of the program loads needs the start of the program itself', () => {
  const files = filesOfProgram();
  const start = [...files.keys()].find((name) => name.startsWith('program-')) ?? '';
  const reached = new Map<string, string>();
  const pending = [start];
  for (let name = pending.pop(); name !== undefined; name = pending.pop())
    for (const other of files.get(name) ?? []) {
      if (reached.has(other)) continue;
      reached.set(other, name);
      pending.push(other);
    }
  expect([files.size > 100, (files.get(start)?.length ?? 0) > 0]).toEqual([true, true]);
  expect(reached.get(start), 'the file that loads the start again').toBeUndefined();
});
