import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { openCurrent } from './open-current.ts';

interface Page {
  readonly records: readonly { readonly id: number | string }[];
}

/** A network in which the list of extensions does not contain one extension. */
const without =
  (id: string) =>
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/extension')) return reply;
    const page = JSON.parse(await reply.text()) as Page;
    const records = page.records.filter((one) => String(one.id) !== id);
    return { ...reply, text: () => Promise.resolve(JSON.stringify({ ...page, records })) };
  };

it.each(['yaml', 'csv'])(
  'a member who is not in the list of extensions is exported as %s, and not removed by this list',
  async (format) => {
    const { run, write, sandbox } = await openCurrent(without('171857103'));
    const { exit, stdout } = await run(`queue export 201 -o ${format}`);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/171857103.*extension 171857103/s)]);
    write(`list.${format}`, stdout);
    const applied = await run(`queue apply -f list.${format} --exact --allow-empty --yes`);
    expect([applied.exit, applied.stderr]).toEqual([2, expect.stringContaining('"171857103" not found')]);
    expect(sandbox.members(171_857_201).map(({ extensionNumber }) => extensionNumber)).toContain('103');
  },
);
