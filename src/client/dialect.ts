import { dialects, type Dialect } from '../contract/dialects.ts';

export type { Dialect } from '../contract/dialects.ts';

/** The specification's own names and paths. */
export const specDialect: Dialect = dialects.spec;

/**
 * A path of the specification as this deployment spells it. Resources write the specification's paths; the transport passes each through here, and
 * nothing else knows of other spellings.
 */
export function spell(dialect: Dialect, path: string): string {
  const chat = specDialect.chatPath;
  if (path === chat || path.startsWith(`${chat}/`)) return dialect.chatPath + path.slice(chat.length);
  return path.replace(
    /^(\/restapi\/v1\.0\/account\/[^/]+\/extension\/[^/]+\/)ring-?out(?=\/|$)/,
    (_whole, before: string) => before + dialect.ringoutPath,
  );
}
