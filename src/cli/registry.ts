import type { NounSpec } from '../runtime/define.ts';

/** Every noun of the tool, in the order of the root help. Specs are plain data: handlers load when they run. */
export const registry: readonly NounSpec[] = [];
