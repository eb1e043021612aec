import { expect, it } from 'vitest';
import { tableRenderer } from '../../src/output/table.ts';
import { plainSurface } from '../support/surface.ts';

/** The labels of one thing that has these columns, and the headings of a list of it. */
async function shown(titles: readonly string[]): Promise<{ labels: string[]; headings: string[] }> {
  const pieces: string[] = [];
  const renderer = tableRenderer(
    plainSurface({
      write: (text) => Promise.resolve(void pieces.push(text)),
      isTerminal: true,
    }),
  );
  const columns = titles.map((title, index) => ({ key: `c${index}`, title, value: () => 'x' }));
  await renderer.record({}, { columns });
  await renderer.list([{}], { columns });
  const [record = '', list = ''] = pieces;
  const labels = record
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, line.lastIndexOf('x')).trim());
  return { labels, headings: (list.split('\n')[0] ?? '').split(/ {2,}/).map((text) => text.trim()) };
}

it.each([
  ['CALLS TAKEN', 'Calls taken'],
  ['NAME', 'Name'],
  ['ID', 'ID'],
  ['PID', 'PID'],
  ['SHA256', 'SHA256'],
  ['TLS', 'TLS'],
  ['URI', 'URI'],
  ['URL', 'URL'],
  ['UUID', 'UUID'],
  ['CLIENT ID', 'Client ID'],
  // A unit.
  ['SLOWEST MS', 'Slowest ms'],
  ['MS', 'ms'],
  // Labels already.
  ['Setting', 'Setting'],
  ['Client ID', 'Client ID'],
  // The first letter stays, whatever the alphabet.
  ['ÉTAT DU TÉLÉPHONE', 'État du téléphone'],
  ['X', 'X'],
])('the heading %s of lists is the label %s of a record', async (title, label) => {
  expect(await shown([title])).toEqual({ labels: [label], headings: [title] });
});

it('adjacent labels keep their order', async () => {
  expect((await shown(['EXT', 'Name', 'URL'])).labels).toEqual(['Ext', 'Name', 'URL']);
});
