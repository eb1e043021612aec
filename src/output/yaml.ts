import { yamlText } from '../platform/yaml-text.ts';
import { pickFields } from './fields.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';

/** Renders YAML 1.2: one document, or a separate document for each live event. */
export function yamlRenderer(surface: Surface): Renderer {
  return {
    async list<T extends object>(rows: Rows<T>) {
      let count = 0;
      for await (const row of rows) {
        await surface.write(yamlText([pickFields(row, surface.fields)]));
        count += 1;
      }
      if (count === 0) await surface.write('[]\n');
      return count;
    },
    record: (row) => surface.write(yamlText(pickFields(row, surface.fields))),
    async stream(rows, view) {
      for await (const row of rows) {
        await surface.write(`---\n${yamlText(pickFields(row, surface.fields))}`, view.onWritten);
      }
    },
  };
}
