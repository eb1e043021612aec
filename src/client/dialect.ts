import { dialects, type Dialect } from '../contract/dialects.ts';

export type { Dialect } from '../contract/dialects.ts';

/** Names and paths of dialect `spec`. */
export const specDialect: Dialect = dialects.spec;

/**
 * The spelling of a path of dialect `spec` in this deployment. Resources write paths of `spec`; the transport passes each through here, and
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
