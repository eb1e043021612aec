import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Classes that `src/cli/to-failure.ts` tells apart by `instanceof`: a second copy of one in a bundle would be another class. */
const classes = [
  'CommandError',
  'ApiError',
  'SignInRequiredError',
  'ConnectionError',
  'RateLimitError',
  'UntrustedHostError',
  'OutcomeUnknownError',
  'ReplyError',
  'DryRunStop',
  'DatabaseError',
  'UnsafePathError',
];

/** Programs that run in their own process and share no objects with the files next to them. */
const ownPrograms = new Set(['keychain-child.cjs', 'query-child.cjs']);

describe.each(['cli', 'lib'])('dist/%s', (bundle) => {
  const folder = join('dist', bundle);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    // The client library of PostgreSQL has a class DatabaseError of its own.
    .filter((name) => /\.c?js$/.test(name) && !name.startsWith('pg-') && !ownPrograms.has(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

  // The library contains only code that its exports use.
  const expected = bundle === 'cli' ? [1] : [0, 1];

  it.each(classes)('has the class %s in one place', (name) => {
    const definition = new RegExp(String.raw`\bclass ${name}(?![\w$])|\b${name}=class\b`, 'g');
    const found = sources.map((source) => source.match(definition)?.length ?? 0);
    expect(expected).toContain(found.reduce((sum, count) => sum + count, 0));
  });
});
