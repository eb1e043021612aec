import type { z } from 'zod';
import { ApiError } from '../../src/errors/service.ts';
import { toFailure } from '../../src/cli/to-failure.ts';
import { flagOf } from '../../src/cli/flags.ts';
import { operations, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { eventNames, filterTail } from '../../src/features/live/notification/event-kinds.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import { filterKinds } from '../../src/sandbox/subscriptions/filter-kinds.ts';
import { rawFilters, reaches } from './coverage-map.ts';
import type { Reach } from './coverage/reach.ts';

const all = Object.entries(operations) as readonly (readonly [OperationId, Operation])[];

/** Names of the query parameters and body fields of an operation in the contract. */
function parametersOf(operation: Operation): readonly string[] {
  return [...keysOf(operation.query), ...keysOf(operation.body)];
}

function keysOf(schema: z.ZodType | undefined): readonly string[] {
  if (!schema) return [];
  const { def } = schema as z.ZodType & { readonly def: Readonly<Record<string, unknown>> };
  if (def['shape']) return Object.keys(def['shape']);
  const inner = [def['innerType'], def['in'], ...((def['options'] as readonly unknown[]) ?? [])];
  return [...new Set(inner.flatMap((one) => keysOf(one as z.ZodType | undefined)))];
}

/** Parameters and fields of the contract without an entry, and entries for parameters that do not exist. */
export function holes(commands: readonly AnyCommandSpec[]): readonly string[] {
  const known = new Map(commands.map((spec) => [spec.path.join(' '), spec]));
  return all.flatMap(([id, operation]) => {
    const { commands: by, apiOnly, parameters = {} } = reaches[id];
    const names = parametersOf(operation);
    return [
      ...(by.length === 0 && !apiOnly ? [`${id}: no command and no reason`] : []),
      ...by.filter((path) => !known.has(path)).map((path) => `${id}: there is no command ${path}`),
      ...names.filter((name) => !parameters[name]).map((name) => `${id}.${name}: nothing reaches it`),
      ...Object.keys(parameters)
        .filter((name) => !names.includes(name))
        .map((name) => `${id}.${name}: the contract does not have it`),
      ...Object.values(parameters).flatMap((reach) =>
        'flag' in reach && !isThere(reach.flag, known) ? [`${id}: there is no ${reach.flag}`] : [],
      ),
    ];
  });
}

function isThere(words: string, known: ReadonlyMap<string, AnyCommandSpec>): boolean {
  const at = words.lastIndexOf(' ');
  const spec = known.get(words.slice(0, at));
  const name = words.slice(at + 1);
  return Object.entries(spec?.options ?? {}).some(([key, option]) =>
    option.positional ? key.toUpperCase() === name : flagOf(key) === name,
  );
}

/** Event filters of the service that have neither a short name nor a reason for its absence. */
export function filterHoles(): readonly string[] {
  return filterKinds.filter((kind) => !shortName(kind) && !rawFilters[kind.topic]).map(({ topic }) => topic);
}

function shortName({ owner, resource }: (typeof filterKinds)[number]): string | undefined {
  if (owner === 'queue' || (owner === 'account' && resource !== '/extension')) return undefined;
  return eventNames.find((name) => filterTail(name) === resource);
}

/** The content of docs/internals/coverage.md. */
export function coverageDocument(): string {
  return `${[
    '# What reaches what',
    '',
    'Made by `node scripts/run.mjs documents`; a test compares, and fails for whatever of the contract has no line. Every operation can be',
    'asked for by `ucctl api METHOD PATH` too, with any parameter; what has no flag says why.',
    '',
    '## Operations, their parameters and fields',
    '',
    '| Operation | Parameter or field | Reached by |',
    '|---|---|---|',
    ...all.flatMap(([id]) => operationLines(id)),
    '',
    '## Errors',
    '',
    '| Status | code in JSON | Exit |',
    '|---|---|---|',
    ...[400, 401, 403, 404, 405, 409, 415, 429, 500, 503].map(errorLine),
    '| 403 with a permission or a role missing | permission_missing | 5 |',
    '',
    "The service's own code is `server_code` in JSON and is shown in brackets after the message.",
    '',
    '## Events',
    '',
    '| Filter | `--events` |',
    '|---|---|',
    ...filterKinds.map((kind) => {
      const name = shortName(kind);
      return `| ${kind.owner}: \`${kind.resource}\` | ${name ? `\`${name}\`` : `its path; ${rawFilters[kind.topic]}`} |`;
    }),
    '| reminder of the end | `reminder:THRESHOLD,INTERVAL` |',
  ].join('\n')}\n`;
}

function operationLines(id: OperationId): readonly string[] {
  const { commands, apiOnly, parameters = {} } = reaches[id];
  const by = commands.length > 0 ? commands.map((path) => `\`${path}\``).join(', ') : `\`api\`: ${apiOnly}`;
  return [
    `| ${id} | | ${by} |`,
    ...Object.entries(parameters).map(([name, reach]) => `| | \`${name}\` | ${reachText(reach)} |`),
  ];
}

function reachText(reach: Reach): string {
  if ('flag' in reach) return `\`${reach.flag}\``;
  return 'itself' in reach ? `by itself: ${reach.itself}` : `\`api\`: ${reach.apiOnly}`;
}

function errorLine(status: number): string {
  const request = { method: 'GET', path: '/' };
  const { code, exit } = toFailure(new ApiError({ status, errorCode: 'X', message: 'x', request }));
  return `| ${status} | ${code} | ${exit} |`;
}
