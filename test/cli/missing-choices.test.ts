import { expect, it } from 'vitest';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';

const stdout = { isTerminal: true, columns: undefined };
const system = { version: '1.0.0', homeDirectory: '/home/user', stdout };

/** The lists that a terminal offers for the missing values of a command line. */
async function offered(line: string): Promise<unknown> {
  const program = await understand(line.split(' '), registry, system, () => true);
  return program.kind === 'run' ? program.choices.map(({ key, kind }) => [key, kind]) : program;
}

it.each([
  ['webhook delete', [['ids', 'chat-webhooks']]],
  ['webhook post', [['id', 'chat-webhooks']]],
  ['events show', [['id', 'events']]],
  ['pager reply', [['message', 'received-pagers']]],
  ['fax status', [['id', 'sent-faxes']]],
  ['message show', [['ids', 'messages']]],
  ['subscribe show', [['id', 'subscriptions']]],
])('%s offers a list of what its ID identifies', async (line, lists) => {
  expect(await offered(line)).toEqual(lists);
});

it('a flag with an ID of another kind offers no list', async () => {
  await expect(offered('webhook create')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('--group ID is missing') as string,
  });
});
