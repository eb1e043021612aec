import { expect, it } from 'vitest';
import { ndjsonRenderer } from '../../src/output/json.ts';
import { StyleMarks } from '../../src/output/paint.ts';

it('tells that a line is with the system before the next row is asked for', async () => {
  const steps: string[] = [];
  async function* rows(): AsyncGenerator<object, void> {
    yield { id: 1 };
    steps.push('asked');
    yield { id: 2 };
  }
  const renderer = ndjsonRenderer({
    write(text, onTaken) {
      steps.push(text.trim());
      onTaken?.();
      return Promise.resolve();
    },
    isTerminal: false,
    columns: undefined,
    paint: (_kind, text) => text,
    marks: new StyleMarks(),
    header: true,
    fields: undefined,
    csvRaw: false,
    now: () => 0,
  });
  await renderer.stream(rows(), { columns: [], onTaken: () => steps.push('taken') });
  expect(steps).toEqual(['{"id":1}', 'taken', 'asked', '{"id":2}', 'taken']);
});
