import { StyleMarks } from '../../src/output/paint.ts';
import type { Surface } from '../../src/output/renderer.ts';

/** The output of a renderer in a test: by default a pipe without colors. */
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
