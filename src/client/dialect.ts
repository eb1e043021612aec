import { dialects, type Dialect } from '../contract/dialects.ts';

export { dialects, type Dialect, type DialectName } from '../contract/dialects.ts';

/** Names, paths and capabilities of dialect `spec`. */
export const specDialect: Dialect = dialects.spec;
