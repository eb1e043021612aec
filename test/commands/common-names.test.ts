import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';

interface Members {
  readonly properties?: object;
  readonly items?: Members;
  readonly oneOf?: readonly Members[];
  readonly anyOf?: readonly Members[];
}

/** Names of the members of a schema, or of its items and alternatives. */
function membersOf(schema: Members): readonly string[] {
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(membersOf)];
}

async function schemaOf(command: string, part: 'input' | 'output'): Promise<readonly string[]> {
  const { exit, stdout } = await runUcctl(`schema ${command}`);
  expect(exit).toBe(0);
  return membersOf((JSON.parse(stdout) as Record<'input' | 'output', Members>)[part]);
}

it.each([
  ['message read', ['status', 'problem']],
  ['message delete', ['status', 'problem', 'filter']],
  ['fax cancel', ['status', 'problem']],
  ['sync retry', ['status', 'problem']],
  ['download', ['status', 'problem']],
  ['events replay', ['status', 'problem']],
  ['queue availability', ['acceptsQueue', 'acceptsQueueCalls']],
  ['agent availability', ['acceptsQueue']],
  ['queue watch', ['acceptsQueueCalls']],
  ['history list', ['startedAt', 'endedAt']],
  ['outcome list', ['startedAt', 'endedAt']],
  ['events consume', ['time']],
  ['fleet worker', ['time']],
  ['history show', ['time']],
])('rows of %s have the members %j, as those of other commands', async (command, names) => {
  expect(await schemaOf(command, 'output')).toEqual(expect.arrayContaining(names));
});

it.each([
  ['message list', ['type', 'direction', 'phone']],
  ['calllog list', ['type', 'direction', 'phone']],
  ['sms list', ['direction', 'phone']],
  ['sync', ['type', 'direction']],
  ['sync erase', ['phone']],
  ['events replay', ['forward-to', 'exec']],
  ['events consume', ['forward-to', 'exec']],
])('%s has the options %j, as other commands', async (command, names) => {
  expect(await schemaOf(command, 'input')).toEqual(expect.arrayContaining(names));
});
