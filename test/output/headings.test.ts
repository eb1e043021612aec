import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.rows.ts'),
);

/** The texts of the definitions of rows in a file. */
const definitionsIn = (file: string): readonly string[] =>
  readFileSync(join('src', file), 'utf8').split(/(?<!\w)rows(?:<[^(]*>)?\(/);

it('writes the headings of every list in capitals', () => {
  // Only columns of lists have a priority. The title of a single record begins with `record:`.
  const lists = files.flatMap((file) =>
    definitionsIn(file)
      .filter((text) => text.includes('priority:'))
      .map((text) => ({ file, text: text.replaceAll(/record: \{[^}]*\}/g, '') })),
  );
  expect(lists.length).toBeGreaterThan(30);
  const mixed = lists.flatMap(({ file, text }) =>
    [...text.matchAll(/title: '([^']*[a-z][^']*)'/g)].map(([, title]) => `${file}: ${title}`),
  );
  expect(mixed).toEqual([]);
});
