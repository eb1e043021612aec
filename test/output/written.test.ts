import { expect, it } from 'vitest';
import { csvRenderer, tsvRenderer } from '../../src/output/delimited.ts';
import { jqRenderer } from '../../src/output/jq.ts';
import { ndjsonRenderer } from '../../src/output/json.ts';
import type { Renderer, Surface } from '../../src/output/renderer.ts';
import { tableRenderer } from '../../src/output/table.ts';
import { yamlRenderer } from '../../src/output/yaml.ts';
import { plainSurface } from '../support/surface.ts';

const renderers: Readonly<Record<string, (surface: Surface) => Renderer | Promise<Renderer>>> = {
  ndjson: ndjsonRenderer,
  jq: (surface) => jqRenderer('ndjson', '.', surface),
  csv: csvRenderer,
  tsv: tsvRenderer,
  table: tableRenderer,
  yaml: yamlRenderer,
};

it.each(Object.keys(renderers))(
  '%s reports that a row was written before it requests the next one',
  async (name) => {
    const steps: string[] = [];
    async function* rows(): AsyncGenerator<{ id: number }, void> {
      yield { id: 1 };
      steps.push('asked');
      yield { id: 2 };
    }
    const renderer = await renderers[name]?.(
      plainSurface({
        write(text, onWritten) {
          steps.push(/\d/.exec(text)?.[0] ?? '');
          onWritten?.();
          return Promise.resolve();
        },
      }),
    );
    await renderer?.stream(rows(), {
      columns: [{ key: 'id', title: 'ID', value: (row) => row.id }],
      onWritten: () => steps.push('taken'),
    });
    expect(steps).toEqual(['1', 'taken', 'asked', '2', 'taken']);
  },
);
