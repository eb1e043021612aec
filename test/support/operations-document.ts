import {
  operations,
  operationsOf,
  pathsOf,
  type Operation,
  type OperationId,
} from '../../src/contract/operations.ts';
import { rejections as ownRejections } from './rejections.ts';
import { endpointRows, withoutPermission, type EndpointRow } from './endpoints.ts';

/** The operation that serves an endpoint of docs/spec. */
export function operationOf(row: EndpointRow): OperationId | undefined {
  const entries = Object.entries(operations) as readonly (readonly [OperationId, Operation])[];
  return entries.find(
    ([, operation]) => operation.method === row.method && pathsOf(operation).includes(row.path),
  )?.[0];
}

/** The errors for a request without a token, and without the permission. */
export function rejectionsOf(operation: Operation): readonly string[] {
  const rejections: string[] = [];
  if (operation.authorization === 'bearer') rejections.push('401 OAU-123');
  if (operation.authorization === 'client') rejections.push('401 OAU-123');
  if (operation.permission) rejections.push('403 CMN-401');
  return rejections;
}

/** The errors of the operation itself that are transcribed and tested (rejections.ts), each once. */
function ownRejectionsOf(id: OperationId | undefined): readonly string[] {
  return [
    ...new Set(ownRejections.flatMap(({ operation, expected }) => (operation === id ? [expected] : []))),
  ];
}

/** The path and the permission of an operation in dialect `current`, where they differ from dialect `spec`. */
function inCurrent(id: OperationId, path: string): string {
  const { permission: specified, dialects }: Operation = operations[id];
  if (dialects && !dialects.includes('spec')) return 'only in this dialect';
  const operation = operationsOf('current').get(id);
  if (!operation) return 'not in this dialect';
  const { permission } = operation;
  const differences = [
    ...(pathsOf(operation).includes(path) ? [] : [`\`${operation.path}\``]),
    ...(permission === undefined || permission === specified ? [] : [permission]),
  ];
  return differences.join(', ') || 'the same';
}

/** The content of docs/internals/operations.md: the endpoints of docs/spec with the operations of the contract. */
export function operationsDocument(): string {
  const lines = endpointRows.map((row) => {
    const id = operationOf(row);
    const operation: Operation | undefined = id && operations[id];
    const permission = operation?.permission ?? (id && withoutPermission[id]) ?? '';
    const cells = [
      row.place,
      `${row.method} \`${row.path}\``,
      id ?? '**missing**',
      permission,
      id ? inCurrent(id, row.path) : '',
      operation?.group ?? '-',
      operation ? String(operation.status) : '',
      operation ? [...rejectionsOf(operation), ...ownRejectionsOf(id)].join(', ') || '-' : '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Operations',
    '',
    'Made by `node scripts/run.mjs spec-coverage`; a test compares. Each line is an endpoint of [spec](../spec/README.md), with the operation of the',
    'contract that serves it, the permission that the app needs (or what takes its place), the path and the permission in dialect',
    '`current` if they differ, the usage group, the status of success, and',
    'what is answered without a token, without the permission, and to the wrong requests of test/support/rejections.ts, which a test sends.',
    '',
    '| Rule | Request | Operation | Permission | In `current` | Group | Success | Rejections |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
