import { stringifyJson } from '../platform/json.ts';
import { escapeJson } from '../platform/terminal-text.ts';
import type { View } from '../runtime/output.ts';
import { pickFields } from './fields.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';

/** Formats one record as one line. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(stringifyJson(value))}\n`;
}

/** Renders one JSON document; a list is written while its pages arrive. */
export function jsonRenderer(surface: Surface): Renderer {
  const pretty = (row: object): string => escapeJson(stringifyJson(pickFields(row, surface.fields), 2));
  return {
    // If the source fails, the array stays open: an incomplete list must not look complete.
    async list<T extends object>(rows: Rows<T>) {
      let count = 0;
      for await (const row of rows) {
        await surface.write(`${count === 0 ? '[\n' : ',\n'}  ${pretty(row).replaceAll('\n', '\n  ')}`);
        count += 1;
      }
      await surface.write(count === 0 ? '[]\n' : '\n]\n');
      return count;
    },
    record: (row) => surface.write(`${pretty(row)}\n`),
    stream: (rows, view) => ndjsonRenderer(surface).stream(rows, view),
  };
}

/** Renders one record per line, each written as it arrives. */
export function ndjsonRenderer(surface: Surface): Renderer {
  const write = (row: object, onWritten?: () => void): Promise<void> =>
    surface.write(jsonLine(pickFields(row, surface.fields)), onWritten);
  const list = async <T extends object>(rows: Rows<T>, view: View<T>): Promise<number> => {
    let count = 0;
    for await (const row of rows) {
      await write(row, view.onWritten);
      count += 1;
    }
    return count;
  };
  return {
    list,
    record: (row) => write(row),
    async stream(rows, view) {
      if (!surface.lastBytes || view.unique === undefined) {
        await list(rows, view);
        return;
      }
      const { continuedLines } = await import('./continued.ts');
      const lineOf = continuedLines(surface.lastBytes, view.unique);
      for await (const row of rows) {
        const shown = pickFields(row, surface.fields);
        const line = await lineOf(shown, jsonLine(shown));
        if (line === '') view.onWritten?.();
        else await surface.write(line, view.onWritten);
      }
    },
  };
}
