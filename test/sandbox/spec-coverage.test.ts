import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations, pathsOf, type Operation } from '../../src/contract/operations.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { operationOf, operationsDocument, rejectionsOf } from '../support/operations-document.ts';
import { permissionsDocument } from '../support/permissions-document.ts';
import { oauthOperations, permissions, rejections, withoutRejection } from '../support/rejections.ts';
import { specTestsDocument } from '../support/spec-tests-document.ts';
import { endpointRows, withoutPermission } from '../support/endpoints.ts';
import { rejection, send, userClient } from './request.ts';

const entries = Object.entries(operations) as readonly (readonly [string, Operation])[];

/** The dialect in which an operation is tested: `spec`, unless only the other has it. */
function dialectOf(id: string): 'spec' | 'current' {
  return entries.find(([name]) => name === id)?.[1].dialects?.[0] ?? 'spec';
}

describe('operations', () => {
  test('every endpoint of docs/spec has an operation, and every operation an endpoint', () => {
    expect(endpointRows.filter((row) => !operationOf(row))).toEqual([]);
    const known = new Set(endpointRows.map(({ method, path }) => `${method} ${path}`));
    const missing = entries.flatMap(([, operation]) =>
      pathsOf(operation)
        .map((path) => `${operation.method} ${path}`)
        .filter((line) => !known.has(line)),
    );
    expect(missing).toEqual([]);
  });

  test('every operation asks for a permission, or says what takes its place', () => {
    const open = entries.filter(([, operation]) => !operation.permission).map(([id]) => id);
    expect(open.sort()).toEqual(Object.keys(withoutPermission).sort());
  });

  test.each(entries)(
    '%s is served under every path and rejects requests without token or permission',
    async (id, operation) => {
      const dialect = operation.dialects?.[0] ?? 'spec';
      await using sandbox = await startSandbox({ listen: false, dialect });
      // This app may read the directory and nothing else.
      const reader = await userClient(sandbox, '102', 'sandbox-reader');
      const form = {
        body: 'grant_type=password',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      for (const template of pathsOf(operation)) {
        const path = template.replaceAll(/\{\w+\}/g, '1');
        const answers = [
          await send(sandbox, operation.method, path, operation.authorization === 'client' ? form : {}),
          await send(sandbox, operation.method, path, { token: reader.token }),
        ];
        const codes = answers.map((answer) => `${answer.status} ${answer.body.errors?.[0]?.errorCode}`);
        expect(codes.filter((code) => code.endsWith('AGW-404'))).toEqual([]);
        const codesOfCommonErrors = codes.filter((code) => /OAU-123|CMN-401/.test(code));
        const expected = rejectionsOf(operation).filter(
          (code) => code !== '403 CMN-401' || operation.permission !== 'ReadAccounts',
        );
        expect([id, ...new Set(codesOfCommonErrors)]).toEqual([id, ...expected]);
        const named = answers.flatMap(({ body }) => (body['permissionName'] as string | undefined) ?? []);
        expect(named).toEqual(expected.includes('403 CMN-401') ? [operation.permission] : []);
      }
    },
  );
});

describe('what docs/spec states, transcribed from it', () => {
  test('the permission of every operation', () => {
    const inContract = entries.flatMap(([id, { permission }]) => (permission ? [[id, permission]] : []));
    const named = Object.entries(permissions).flatMap(([permission, ids]) =>
      ids.map((id) => [id, permission]),
    );
    expect(Object.fromEntries(inContract)).toEqual(Object.fromEntries(named));
  });

  test('an error for every operation that has one', () => {
    const known = new Set([
      ...rejections.map(({ operation }) => operation),
      ...withoutRejection,
      ...oauthOperations,
    ]);
    expect(entries.map(([id]) => id).filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !Object.hasOwn(operations, id))).toEqual([]);
  });

  test.each(['spec', 'current'] as const)('each of these errors, in dialect %s', async (dialect) => {
    await using sandbox = await startSandbox({ listen: false, dialect });
    const own = rejections.filter(({ operation }) => dialectOf(operation) === dialect);
    const tokens = new Map<string, string>();
    for (const who of new Set(own.map((one) => one.who))) {
      if (who !== 'nobody') tokens.set(who, (await userClient(sandbox, who)).token);
    }
    const answers: string[] = [];
    for (const { operation, who, method, path, json } of own) {
      const token = tokens.get(who);
      const answer = await send(sandbox, method, path, { ...(token !== undefined && { token }), json });
      answers.push(
        `${operation} ${method} ${path} ${answer.status >= 400 ? rejection(answer) : answer.status}`,
      );
      expect(sandbox.requestLog().at(-1)?.operation).toBe(operation);
    }
    expect(answers).toEqual(
      own.map(({ operation, method, path, expected }) => `${operation} ${method} ${path} ${expected}`),
    );
  });
});

describe('documents are as the script makes them (node scripts/run.mjs spec-coverage)', () => {
  const read = (name: string) => readFileSync(`docs/internals/${name}.md`, 'utf8');

  test('operations', () => {
    expect(read('operations')).toBe(operationsDocument());
  });
  test('spec-tests', () => {
    expect(read('spec-tests')).toBe(specTestsDocument('test'));
  });
  test('sandbox-permissions', async () => {
    expect(read('sandbox-permissions')).toBe(await permissionsDocument());
  });
});
