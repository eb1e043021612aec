import { describe, expect, it } from 'vitest';
import { openOffice } from '../commands/office.ts';

describe('--jq', () => {
  it('filters a json document as a whole, and prints strings raw', async () => {
    const { run } = await openOffice();
    expect(await run(['queue', 'list', '--jq', 'map(.name) | sort | .[]'])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Billing\n/) as string,
    });
  });

  it('filters ndjson record by record', async () => {
    const { run } = await openOffice();
    const { stdout } = await run(['queue', 'list', '-o', 'ndjson', '--jq', '{id, n: (.name | length)}']);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; n: number });
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every(({ id, n }) => id > 0 && n > 0)).toBe(true);
  });

  it.each([
    [['--jq', '.['], 'jq'],
    [['--jq', '.', '-o', 'csv'], '--jq cannot be used with -o csv'],
    [['--jq', '.', '-o', 'csv'], "for CSV: -o json --jq '.[] | [.id, .name] | @csv'"],
  ])('%j is a usage error', async (flags, words) => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run(['queue', 'list', ...flags]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
  it('that fails without a change is a usage error', async () => {
    const { run } = await openOffice();
    expect(await run(['queue', 'list', '--jq', '.name'])).toMatchObject({ exit: 2, stdout: '' });
  });

  it.each([
    ['api account/~/extension --paginate --jq .records[].id', true],
    ['queue list --jq .name', true],
    ['queue list --jq .[].id[]', false],
    ['api account/~/extension --jq .records.id', false],
  ])('the error of %s names the array of a list: %s', async (line, isNamed) => {
    const { run } = await openOffice();
    const { exit, stderr } = await run(line);
    expect([exit, stderr.includes("the JSON is one array, so begin the expression with '.[]'")]).toEqual([
      2,
      isNamed,
    ]);
  });

  // Exit code 2 means that nothing was sent, so a script would send the text again.
  it('that fails after a text was sent ends with an unknown outcome, and shows the message on stderr', async () => {
    const { run, sandbox } = await openOffice();
    const argv = ['sms', 'send', '--to', '+16505550112', 'Hi', '--yes', '--jq', '.[0].id'];
    const { exit, stdout, stderr } = await run(argv);
    expect([exit, stdout]).toEqual([14, '']);
    const [message] = sandbox.messages(171_857_102);
    const lines = stderr.trim().split('\n');
    const shown = lines.find((line) => line.startsWith('{"')) ?? '';
    expect(JSON.parse(shown)).toMatchObject({ type: 'SMS', subject: message?.subject });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      error: {
        code: 'outcome_unknown',
        message: expect.stringContaining('--jq: ') as string,
        hint: expect.stringContaining('the unfiltered result is on stderr') as string,
        exit: 14,
      },
    });
  });

  it.each([[[]], [['-o', 'ndjson']]])(
    'that fails for some results of a list %j still shows all results',
    async (format) => {
      const { run } = await openOffice();
      const list = 'phone\n+16505550112\n+16505550113\n';
      const { exit, stdout, stderr } = await run(
        [
          'sms',
          'send',
          '--file',
          '-',
          '--template',
          'Hi',
          '--from',
          '+16505550110',
          '--yes',
          ...format,
          '--jq',
          '.status.x',
        ],
        { stdin: list },
      );
      expect([exit, stdout]).toEqual([14, '']);
      expect(stderr).toMatch(
        /"to":"\+16505550112","status":"sent".*[\n,].*"to":"\+16505550113","status":"sent"/u,
      );
    },
  );

  it('that fails after a request of api made a change ends with an unknown outcome', async () => {
    const { run } = await openOffice();
    const argv = ['api', 'POST', 'account/~/extension/~/sms', '--input', '-', '--yes', '--jq', '.id.x'];
    const stdin = JSON.stringify({
      from: { phoneNumber: '+16505550110' },
      to: [{ phoneNumber: '+16505550112' }],
      text: 'Hi',
    });
    expect(await run(argv, { stdin })).toMatchObject({ exit: 14, stdout: '' });
    expect((await run(['api', 'account/~/extension/~', '--jq', '.id.x'])).exit).toBe(2);
  });
});
