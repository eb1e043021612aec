import { join } from 'node:path';
import type { Paths } from '../../src/runtime/context.ts';

/** Directories of a user below one folder. */
export function pathsIn(directory: string): Paths {
  return {
    config: join(directory, 'config'),
    state: join(directory, 'state'),
    cache: join(directory, 'cache'),
    data: join(directory, 'data'),
  };
}
