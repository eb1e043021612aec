import { lookupError } from '../../errors/command.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf, type ChoiceRow } from './lines.ts';

/** Returns the queues in the cache. */
export async function cachedQueues(ctx: Context): Promise<readonly SearchChoice[]> {
  const { knownQueues } = await knownValues();
  return choicesOf(knownQueues(ctx).map((queue) => rowOf(queue, 'queue')));
}

/** Returns the agents in the cache. */
export async function cachedAgents(ctx: Context): Promise<readonly SearchChoice[]> {
  const { knownAgents } = await knownValues();
  return choicesOf(knownAgents(ctx).map((agent) => rowOf(agent, 'agent')));
}

/** Reads and caches the queues of the account. */
export async function queueChoices(ctx: Context, signal: AbortSignal): Promise<readonly SearchChoice[]> {
  const queues = await readAll(ctx, 'Department', signal);
  const { cacheQueues } = await knownValues();
  await cacheQueues(ctx, queues);
  return choicesOf(
    queues.map(({ id, name, extensionNumber }) => rowOf({ id, name, extensionNumber }, 'queue')),
  );
}

/** Reads and caches the users of the account. */
export async function agentChoices(ctx: Context, signal: AbortSignal): Promise<readonly SearchChoice[]> {
  const agents = await readAll(ctx, 'User', signal);
  const { cacheAgents } = await knownValues();
  await cacheAgents(ctx, agents);
  return choicesOf(
    agents.map((agent) =>
      rowOf(
        {
          id: agent.id,
          name: agent.name,
          extensionNumber: agent.extensionNumber,
          email: agent.contact?.email,
        },
        'agent',
      ),
    ),
  );
}

/** Reads the agents of a queue. @throws {CommandError} if the queue is not found */
export async function memberChoices(
  ctx: Context,
  queue: string,
  signal: AbortSignal,
): Promise<readonly SearchChoice[]> {
  const [api, { openDirectory }] = await Promise.all([
    ctx.api(),
    import('../../features/directory/index.ts'),
  ]);
  const directory = openDirectory(api, signal);
  const lookup = await directory.queue(queue);
  if (!lookup.found) throw lookupError(lookup);
  const rows: ChoiceRow[] = [];
  for await (const { id, extensionNumber } of api.departments.members(lookup.found.id, { signal })) {
    const known = await directory.byId(id);
    const name = known?.name ?? `extension ${id}`;
    const own = { id, name, extensionNumber: known?.extensionNumber ?? extensionNumber };
    rows.push(rowOf({ ...own, email: known?.contact?.email }, 'agent'));
  }
  return choicesOf(rows);
}

async function readAll(
  ctx: Context,
  type: 'Department' | 'User',
  signal: AbortSignal,
): Promise<readonly AccountExtension[]> {
  const api = await ctx.api();
  const all: AccountExtension[] = [];
  for await (const extension of api.extensions.list({ type: [type] }, { signal })) all.push(extension);
  return all;
}

interface Named {
  readonly id: unknown;
  readonly name: string;
  readonly extensionNumber?: string | undefined;
  readonly email?: string | undefined;
}

type Api = Awaited<ReturnType<Context['api']>>;
type AccountExtension = ReturnType<Api['extensions']['list']> extends AsyncIterable<infer E> ? E : never;

const knownValues = () => import('../../features/known-values/index.ts');

function rowOf({ id, name, extensionNumber, email }: Named, kind: string): ChoiceRow {
  return {
    value: extensionNumber ?? String(id),
    cells: [extensionNumber ?? '', name, kind],
    also: email === undefined ? [] : [email],
  };
}
