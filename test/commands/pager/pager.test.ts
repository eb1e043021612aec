import { describe, expect, it } from 'vitest';
import { temporaryPaths } from '../../support/temporary.ts';
import { openLiveOffice } from '../live-office.ts';

const idOf = (stdout: string): string => String((JSON.parse(stdout) as { id: number | string }).id);

describe('pager', () => {
  it('spec:PAGER-3, PAGER-4: sends to people and queues, by number or name; the reply lists the sender too', async () => {
    const { run, sandbox } = await openLiveOffice();
    const { exit, stdout, stderr } = await run([
      'pager',
      'send',
      '--to',
      '102,Sales',
      'The lift is stuck',
      '--yes',
      '-o',
      'json',
    ]);
    expect([exit, stderr]).toEqual([
      0,
      'from 100 to 102, 202 (Sales, a queue) (2), 17 of 1024 UTF-16 units:\nThe lift is stuck\n',
    ]);
    const sent = JSON.parse(stdout) as { to: { extensionNumber: string }[] };
    expect(sent.to.map(({ extensionNumber }) => extensionNumber)).toEqual(['102', '202', '100']);
    expect(sandbox.messages(171_857_105)).toMatchObject([{ subject: 'The lift is stuck' }]);
  });

  it('reads the text from standard input for -', async () => {
    const { run } = await openLiveOffice();
    const { exit, stdout } = await run('pager send --to 102 - --yes -o json', { stdin: 'The lift\n' });
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { subject: 'The lift' }]);
  });

  it('spec:PAGER-7: replies to a thread, and rejects a user who is not in it', async () => {
    const office = await openLiveOffice();
    const sent = await office.run('pager send --to 102 hello --yes -o json');
    const reply = await office.run(`pager reply ${idOf(sent.stdout)} "and again" --yes -o json`);
    expect([reply.exit, JSON.parse(reply.stdout)]).toMatchObject([0, { subject: 'and again' }]);
    expect(reply.stderr).toBe(
      `from 100 to everyone in the thread, in reply to ${idOf(sent.stdout)}, 9 of 1024 UTF-16 units:\nand again\n`,
    );
    const moved = await office.run(`pager reply ${idOf(sent.stdout)} bye --to 103 --yes`);
    expect([moved.exit, moved.stderr]).toEqual([0, expect.stringContaining('from 100 to 103 (1), in reply')]);
  });

  it.each([
    ['spec:PAGER-6', '108', 'remove recipients whose extension is Disabled or Frozen'],
    ['spec:PAGER-6', '102,109', 'remove recipients whose extension is Disabled or Frozen'],
  ])('%s: to %s is rejected with a message', async (_rule, to, words) => {
    const { run, sandbox } = await openLiveOffice();
    const { exit, stderr } = await run(`pager send --to ${to} hello --yes`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(sandbox.messages()).toEqual([]);
  });

  it('spec:CLIENT-34 an unknown receiver and an unknown message are not found', async () => {
    const { run } = await openLiveOffice();
    expect((await run('pager send --to 99999 hello --yes')).exit).toBe(3);
    expect((await run('pager reply 99999999 hello --yes')).exit).toBe(3);
  });

  it('spec:PAGER-5: nobody sends as a queue', async () => {
    const { run } = await openLiveOffice('201');
    const { exit, stderr } = await run('pager send --to 102 hello --yes');
    expect([exit, stderr]).toEqual([1, expect.stringContaining('nobody can send messages as a queue')]);
  });

  it.each([
    ['1024 letters', 'x'.repeat(1024)],
    ['512 emoji', '😀'.repeat(512)],
  ])('spec:PAGER-8: sends %s', async (_, text) => {
    const { run } = await openLiveOffice();
    expect((await run(['pager', 'send', '--to', '102', text, '--yes'])).exit).toBe(0);
  });

  it.each([
    ['1025 letters', 'x'.repeat(1025)],
    ['an emoji and a letter too many', `${'😀'.repeat(512)}x`],
    ['half an emoji too many', `${'x'.repeat(1023)}😀`],
  ])('spec:PAGER-8: rejects %s before sending, with the count', async (_, text) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(['pager', 'send', '--to', '102', text, '--yes']);
    expect([exit, requests()]).toEqual([2, []]);
    expect(stderr).toContain('1025 UTF-16 code units, but the maximum is 1024');
  });

  it('asks for confirmation before it sends', async () => {
    const { run, sandbox } = await openLiveOffice();
    expect((await run('pager send --to 102 hello')).exit).toBe(9);
    expect((await run('pager send --to nobody hello --yes')).exit).toBe(3);
    expect(sandbox.messages()).toEqual([]);
  });

  it('sends nothing twice with the same --dedupe-key', async () => {
    const { run, sandbox } = await openLiveOffice();
    const at = { paths: temporaryPaths() };
    const keyed = 'pager send --to 102 hello --yes --dedupe-key k';
    expect([(await run(keyed, at)).exit, (await run(keyed, at)).exit]).toEqual([0, 11]);
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
  });

  it('sends once to a recipient who is named twice', async () => {
    const { run } = await openLiveOffice();
    const words = ['pager', 'send', '--to', '202,Sales,202', 'hello', '-n', '-o', 'json'];
    const { exit, stdout } = await run(words);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { body: { to: [{ extensionNumber: '202' }] } }]);
  });

  it('replies to everyone in the thread without naming recipients', async () => {
    const { run } = await openLiveOffice();
    const sent = await run('pager send --to 102 hello --yes -o json');
    const { stdout } = await run(`pager reply ${idOf(sent.stdout)} hello -n -o json`);
    const { body } = JSON.parse(stdout) as { readonly body: object };
    expect(body).toEqual({
      from: { extensionNumber: '100' },
      replyOn: Number(idOf(sent.stdout)),
      text: 'hello',
    });
  });

  it('checks the policy before any request', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const env = { UCCTL_MAX_PER_HOUR: '1' };
    const { exit } = await run('pager send --to 102,103 hello --yes', { env });
    expect([exit, requests()]).toEqual([9, []]);
  });

  it.each([
    ['an unknown name', 'nobody', /nothing/, 3],
    ['a recipient without a number', 'Sales', /\/extension$/, 3],
    ['a sender without a number', '102', /\/presence$/, 1],
  ])('sends nothing for %s', async (_, to, path, code) => {
    const { run, requests } = await openLiveOffice('administrator', {}, (inner) => async (request) => {
      const reply = await inner(request);
      if (!path.test(request.url.pathname)) return reply;
      const body = (await reply.text()).replaceAll(/"extensionNumber":"\d+",?/g, '').replaceAll(',}', '}');
      return { ...reply, text: () => Promise.resolve(body) };
    });
    requests();
    const { exit } = await run(`pager send --to ${to} hello --yes`);
    expect([exit, requests().filter((line) => line.startsWith('POST'))]).toEqual([code, []]);
  });

  it('rejects a reply to a text that is not an ID', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run('pager reply Sales hello --yes');
    expect([exit, stderr, requests()]).toEqual([2, expect.stringContaining('not a valid message ID'), []]);
  });
});
