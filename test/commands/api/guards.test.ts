import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparablePath, normalPath } from '../../../src/platform/request-path.ts';
import { apiCommand } from '../../../src/commands/api/api.command.ts';
import { describeCall } from '../../../src/features/outcome-journal/describe-call.ts';
import { openOffice } from '../office.ts';

const nouns = [{ name: 'api', summary: '', section: 'Account and setup' as const, commands: [apiCommand] }];

/** Spells letters of a path by escapes, in upper case, or with slashes too many. */
function respelled(path: string): fc.Arbitrary<string> {
  const way = fc.constantFrom('as is', 'as is', 'escape', 'ESCAPE', 'upper', 'doubled');
  return fc.array(way, { minLength: path.length, maxLength: path.length }).map((ways) =>
    path
      .split('')
      .map((letter, at) => spelled(letter, ways[at] ?? 'as is'))
      .join(''),
  );
}

function spelled(letter: string, way: string): string {
  const hex = (letter.codePointAt(0) ?? 0).toString(16);
  if (letter === '/') return way === 'doubled' ? '//' : '/';
  if (way === 'escape') return `%${hex}`;
  if (way === 'ESCAPE') return `%${hex.toUpperCase()}`;
  return way === 'upper' ? letter.toUpperCase() : letter;
}

const mailbox = '/restapi/v1.0/account/~/extension/~/message-store';
const guarded = ['sms', 'company-pager', 'fax', 'ring-out', 'ringout'];

describe('guards of api', () => {
  it('spec:CLIENT-33 any spelling of a path that sends is confirmed and recorded in the journal', async () => {
    const { run, requests, sandbox } = await openOffice();
    requests();
    const paths = fc.constantFrom(...guarded).chain((word) => respelled(`/extension/~/${word}`));
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const { exit } = await run(['api', 'POST', `/restapi/v1.0/account/~${path}`, '-f', 'text=x'], {
          nouns,
        });
        expect([path, exit]).toEqual([path, 9]);
        const call = { method: 'POST', path: `/restapi/v1.0/account/~${path}`, body: {} } as const;
        expect(describeCall(call)?.kind).toBeDefined();
      }),
      { numRuns: 60, seed: 3 },
    );
    expect(requests()).toEqual([]);
    expect(sandbox.messages()).toEqual([]);
  });

  it('spec:CLIENT-21, CLIENT-33 no spelling of a message store deletes all messages', async () => {
    const { run, requests } = await openOffice();
    requests();
    await fc.assert(
      fc.asyncProperty(respelled(mailbox.slice('/restapi/v1.0'.length)), async (path) => {
        const { exit } = await run(['api', 'DELETE', `/restapi/v1.0${path}`], { nouns });
        expect([path, exit]).toEqual([path, 9]);
      }),
      { numRuns: 60, seed: 4 },
    );
    expect(requests()).toEqual([]);
  });

  it.each([
    '?conversationId=,',
    '?conversationId=%20',
    '?dateTo=%20',
    '?dateTo=soon',
    '?type=All,SMS',
    '?type=,',
    '?messageId=',
    '/~',
    '/*',
    '/%2a',
    '/,',
    '/%20',
    '/',
    '//',
    '/;x=1',
    // Members of every JavaScript object.
    '?constructor=1',
    '?toString=1',
  ])('does not accept %s as a selection of messages', async (rest) => {
    const { run, requests } = await openOffice();
    requests();
    expect((await run(['api', 'DELETE', mailbox + rest], { nouns })).exit).toBe(9);
    expect(requests()).toEqual([]);
  });

  it.each(['?conversationId=12', '?dateTo=2026-01-01T00:00:00Z', '/12', '/12,13'])(
    'permits %s',
    async (rest) => {
      const { run, requests } = await openOffice();
      requests();
      await run(['api', 'DELETE', mailbox + rest], { nouns });
      expect(requests()).toHaveLength(1);
    },
  );

  it('rejects a method in a field of a query', async () => {
    const { run, requests } = await openOffice();
    requests();
    expect((await run('api GET account/~/extension -f _method=DELETE', { nouns })).exit).toBe(2);
    expect((await run('api GET account/~/extension?_METHOD=DELETE', { nouns })).exit).toBe(2);
    expect(requests()).toEqual([]);
  });
});

describe('paths', () => {
  it.each([
    ['/a/s%6ds', '/a/sms'],
    ['/a/message%2Dstore', '/a/message-store'],
    ['/a/%7e/x%2fy', '/a/~/x%2Fy'],
    ['/a/b?x=%2D', '/a/b?x=%2D'],
    ['/a\\b', '/a/b'],
    ['/a/%256d', '/a/%256d'],
    ['//host/b', '//host/b'],
  ])('is sent as %s -> %s', (text, normal) => {
    expect(normalPath(text)).toBe(normal);
    expect(normalPath(normal)).toBe(normal);
  });

  it.each(['/a/%73MS/', '/a//sms', '/A/sms;x=1', '/a/%2573ms', '/a%2fsms', '/a/sms%20', '/a\\sms'])(
    'compares %s as /a/sms',
    (text) => {
      expect(comparablePath(text)).toBe('/a/sms');
    },
  );
});
