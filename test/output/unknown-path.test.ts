import { expect, it } from 'vitest';
import { usageError } from '../../src/errors/command.ts';
import { csvRenderer, tsvRenderer } from '../../src/output/delimited.ts';
import { tableRenderer } from '../../src/output/table.ts';
import { plainSurface } from '../support/surface.ts';

it.each([
  ['CSV', csvRenderer],
  ['TSV', tsvRenderer],
  ['a table', tableRenderer],
] as const)('%s causes one warning about an unknown path after a change', async (_format, rendererOf) => {
  const warnings: string[] = [];
  const renderer = rendererOf(
    plainSurface({
      fields: ['id', 'from.nope'],
      knownFields: ['id', 'from'],
      checkPath: (path) => usageError(`unknown field "${path}"`),
      onUnknownField: (message) => warnings.push(message),
      write: () => Promise.resolve(),
    }),
  );
  await renderer.list([{ id: 1, from: {} }, { id: 2 }], {
    columns: [{ key: 'id', title: 'ID', value: (row) => row.id }],
  });
  expect(warnings).toEqual(['unknown field "from.nope"; fields: id']);
});
