import { operations, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { refusals as ownRefusals } from './refusals.ts';
import { endpointRows, withoutPermission, type EndpointRow } from './endpoints.ts';

/** The operation that serves an endpoint of docs/spec. */
export function operationOf(row: EndpointRow): OperationId | undefined {
  const entries = Object.entries(operations) as readonly (readonly [OperationId, Operation])[];
  return entries.find(
    ([, operation]) => operation.method === row.method && pathsOf(operation).includes(row.path),
  )?.[0];
}

export function pathsOf(operation: Operation): readonly string[] {
  return [operation.path, ...(operation.aliases ?? [])];
}

/** What a request gets that does not prove who it is, or lacks the permission. */
export function refusalsOf(operation: Operation): readonly string[] {
  const refusals: string[] = [];
  if (operation.authorization === 'bearer') refusals.push('401 OAU-123');
  if (operation.authorization === 'client') refusals.push('401 OAU-123');
  if (operation.permission) refusals.push('403 CMN-401');
  return refusals;
}

/** Those of its own that are transcribed and tried (refusals.ts), each once. */
function ownRefusalsOf(id: OperationId | undefined): readonly string[] {
  return [...new Set(ownRefusals.flatMap(({ operation, expected }) => (operation === id ? [expected] : [])))];
}

/** docs/operations.md: the endpoints of docs/spec beside the operations of the contract. */
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
      operation?.group ?? '-',
      operation ? String(operation.status) : '',
      operation ? [...refusalsOf(operation), ...ownRefusalsOf(id)].join(', ') || '-' : '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Operations',
    '',
    'Made by `node scripts/run.mjs spec-coverage`; a test compares. Each line is an endpoint of [spec](spec/README.md), with the operation of the',
    'contract that serves it, the permission that the app needs (or what takes its place), the usage group, the status of success, and',
    'what is answered without a token, without the permission, and to the wrong requests of test/support/refusals.ts, which a test sends.',
    '',
    '| Rule | Request | Operation | Permission | Group | Success | Refusals |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
