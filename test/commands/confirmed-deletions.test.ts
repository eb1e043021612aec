import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { temporaryPaths } from '../support/temporary.ts';
import { openOffice, type Office } from './office.ts';
import { connectedOffice, live, openTarget } from './webhook/listening.ts';
import { eventually } from '../support/eventually.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Answers no at a terminal. */
const no = () => {
  const keyboard = { input: new PassThrough(), screen: new PassThrough() };
  keyboard.input.write('n\r');
  return { terminal: true, keyboard };
};

/** Runs the deletion without an answer, and with the answer no. */
async function unconfirmed(
  run: Office['run'],
  line: string,
): Promise<readonly (readonly [number, string])[]> {
  const results = [await run(line), await run(`${line} --accessible`, no())];
  return results.map(({ exit, stderr }) => [exit, stderr.trim().split('\n').at(-1) ?? '']);
}

const notAnswered = expect.stringContaining('use --yes to confirm without a prompt') as string;
const declined = expect.stringContaining('not confirmed; nothing was deleted') as string;

describe('a permanent deletion that is not confirmed deletes nothing', () => {
  it('webhook delete', async () => {
    const { run } = await openOffice('administrator');
    const made = await run('webhook create --group 3301 -o json');
    const { id } = JSON.parse(made.stdout) as { id: string };
    const results = await unconfirmed(run, `webhook delete ${id}`);
    expect(results).toEqual([
      [9, notAnswered],
      [9, declined],
    ]);
    const listed = JSON.parse((await run('webhook list -o json')).stdout) as Rows;
    expect(listed).toMatchObject([{ id, status: 'Active' }]);
  });

  it.each(['message purge ID', 'message purge --type SMS', 'message delete --type SMS'])(
    '%s',
    async (line) => {
      const { run } = await openOffice('administrator');
      const sent = await run('sms send --to +16505550112 hello --yes -o json');
      const id = String((JSON.parse(sent.stdout) as { id: number }).id);
      const results = await unconfirmed(run, line.replace('ID', id));
      expect(results).toEqual([
        [9, notAnswered],
        [9, declined],
      ]);
      expect((await run(`message show ${id}`)).exit).toBe(0);
    },
  );

  it.each(['events dlq --drop', 'events dlq 1 --drop'])('%s', async (line) => {
    const office = await connectedOffice();
    const target = await openTarget();
    target.statuses.push(400);
    const paths = temporaryPaths();
    const run: Office['run'] = (argv, options) => office.run(argv, { ...options, paths });
    const { ready } = await live(office, `webhook listen --no-subscribe --forward-to ${target.url}`, {
      paths,
    });
    const event = '/restapi/v1.0/account/1/extension/2/presence';
    const body = JSON.stringify({ uuid: 'u', event, timestamp: 't', body: { extensionId: '2' } });
    await fetch(ready.address, { method: 'POST', body });
    const dead = async () => JSON.parse((await run('events dlq -o json')).stdout) as Rows;
    await eventually(async () => expect(await dead()).toHaveLength(1));
    const results = await unconfirmed(run, line);
    expect(results).toEqual([
      [9, notAnswered],
      [9, declined],
    ]);
    expect(await dead()).toMatchObject([{ id: 1, status: 'dead' }]);
    expect((await run(`${line} --yes`)).exit).toBe(0);
    expect(await dead()).toEqual([]);
    expect((await run('events dlq --drop')).exit).toBe(0);
  });
});
