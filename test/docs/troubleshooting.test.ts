import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonError } from '../../src/cli/error-report.ts';
import { errorCodes } from './error-codes.ts';

/** The interface of the service has its own error codes, as has the sandbox; only the control API of the sandbox uses those of ucctl. */
const foreign = /^(?:contract\/|sandbox\/(?!control\/))/;

const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !foreign.test(name))
    .toSorted()
    .map((name) => [`src/${name}`, readFileSync(`src/${name}`, 'utf8')]),
);
/** The schema library's code for a problem that a schema of the sandbox reports itself; it is never printed. */
const ofSchemas = 'custom';
const found = errorCodes(sources);
const page = readFileSync('docs/troubleshooting.md', 'utf8');
const named = new Set([...page.matchAll(/`([a-z][a-z_]*)`/g)].map(([, code]) => code));

it('docs/troubleshooting.md names every error code of the program', () => {
  const missing = [...found.codes]
    .filter(([code]) => code !== ofSchemas && !named.has(code))
    .map(([code, file]) => `${code} (${file})`);
  expect(missing).toEqual([]);
});

it('the members of a JSON error have the names that docs/troubleshooting.md uses', () => {
  const failure = { code: 'a', message: 'b', hint: 'c', requestId: 'd', retryable: false, exit: 1 };
  const { error } = JSON.parse(jsonError(failure)) as { readonly error: object };
  const paragraph = /^With `-o json`[^]*?\n\n/m.exec(page)?.[0] ?? '';
  const members = [...paragraph.matchAll(/`([A-Za-z_]+)`/g)].map(([, member]) => member);
  expect(members).toEqual(['code', 'hint', 'request_id']);
  expect(Object.keys(error)).toEqual(expect.arrayContaining(members));
});

it('the code of every error can be read from the source', () => {
  expect(found.unreadable).toEqual([]);
});

it('codes are found in errors, properties, variables, class fields, forwarding functions and superclasses', () => {
  const { codes, unreadable } = errorCodes(
    new Map([
      [
        'command.ts',
        'export class CommandError extends Error { constructor(code, exit, message) { super(message); } }',
      ],
      [
        'use.ts',
        `throw new CommandError('of_error', 1, 'x');
         throw new CommandError(isOld ? 'of_condition' : failure.code, 1, 'x');
         class Used extends CommandError { constructor() { super('of_superclass', 1, 'x'); } }
         class Locked extends Error { readonly code = 'of_field'; }
         function rejected(exit, code) { return new CommandError(code, exit, 'x'); }
         rejected(1, 'of_argument');
         const failure = { code: 'of_property', at: 'not_a_code' };
         const code = isOld ? 'of_variable' : undefined;
         const { code: other = 'of_default' } = failure;
         function codeOf() { return 'of_function'; }
         throw new CommandError(\`run_\${state}\`, 1, 'x');`,
      ],
    ]),
  );
  expect([...codes.keys()].toSorted()).toEqual(
    [
      'of_argument',
      'of_condition',
      'of_default',
      'of_error',
      'of_field',
      'of_function',
      'of_property',
      'of_superclass',
      'of_variable',
    ].toSorted(),
  );
  expect(unreadable).toEqual(['use.ts: `run_${state}`']);
});
