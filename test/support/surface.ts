import { StyleMarks } from '../../src/output/paint.ts';
import type { Surface } from '../../src/output/renderer.ts';

/** Where a renderer writes in a test: a pipe without colours, but for what is given. */
export function plainSurface(parts: Partial<Surface> & Pick<Surface, 'write'>): Surface {
  return {
    isTerminal: false,
    columns: undefined,
    paint: (_kind, text) => text,
    marks: new StyleMarks(),
    header: true,
    fields: undefined,
    csvRaw: false,
    now: () => 0,
    ...parts,
  };
}
