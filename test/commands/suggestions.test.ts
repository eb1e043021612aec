import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxNoun } from '../../src/commands/sandbox/noun.command.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';
import { openOffice, type Office } from './office.ts';

const sends = (office: Office): readonly string[] =>
  office.requests().filter((line) => !line.startsWith('GET'));

describe('a suggestion', () => {
  it.each([
    ['help exitcodes', 'did you mean ucctl help exit-codes?'],
    ['exit-codes', 'did you mean ucctl help exit-codes?'],
    ['help sandbx', 'did you mean ucctl sandbox?'],
    ['queue plan --out x', 'did you mean --plan-out?'],
    ['queue plan --fil x', 'did you mean --file?'],
    ['sms status 12', 'to show a message with its status: ucctl message show 12'],
    ['pager status', 'to show a message with its status: ucctl message show ID'],
    ['ringout status', 'ID is missing: ID of the call; ucctl ringout start and ucctl outcome list show it'],
    ['queue list --outptu json', 'did you mean --output?'],
    ['calllog list --phone-number 1', 'did you mean --phone?'],
    ['calllog active --number 1', 'did you mean --phone or --extension-number?'],
    ['sync erase --number 1', 'did you mean --phone?'],
    ['voicemail list --phone-number=1', 'did you mean --phone?'],
    ['sync --types SMS', 'did you mean --type?'],
    ['events replay 1 --to http://127.0.0.1:1/', 'did you mean --forward-to?'],
    [
      'queue assign Support 101 "Chris Smith"',
      "did you mean ucctl queue assign --queue Support --add '101,Chris Smith'?",
    ],
    ['queue assign agents.csv', 'did you mean ucctl queue assign --file agents.csv?'],
    ['queue assign Lists/Agents.XLSX --dry-run', 'did you mean --file Lists/Agents.XLSX?'],
    ['queue assign --queue Support agents.csv', 'did you mean --add agents.csv?'],
    ['queue diff q.yaml', 'did you mean ucctl queue diff --file q.yaml?'],
    ['rule apply rules.yaml', 'did you mean ucctl rule apply --file rules.yaml?'],
    ['queue apply a.csv b.csv', 'ucctl queue apply --help'],
    ['queue apply -f a.csv b.csv', 'ucctl queue apply --help'],
    ['queue apply plan.csv --dry-run', 'did you mean --file plan.csv?'],
    ['queue assign --queue Support 101 102 --dry-run', 'did you mean --add 101,102?'],
    ['queue assign --queue Support --add 101 102', 'ucctl queue assign --help'],
    ['profile rm x', 'did you mean ucctl profile remove?'],
    ['presence get 101', 'did you mean ucctl presence show?'],
    ['config show output', 'did you mean ucctl config get?'],
    ['message remove 1', 'did you mean ucctl message delete?'],
    ['queue get 1', 'did you mean ucctl queue show?'],
    ['extension list', 'did you mean ucctl agent?'],
    ['call list', 'did you mean ucctl ringout or ucctl calllog?'],
    ['subscription list', 'did you mean ucctl subscribe?'],
    ['holiday list', 'did you mean ucctl hours or ucctl rule?'],
    ['members Support', 'did you mean ucctl queue?'],
    ['export', 'did you mean ucctl queue or ucctl account?'],
    ['queue list --format csv', 'did you mean --output?'],
    ['queue list --columns name', 'did you mean --fields?'],
    ['agent list Support', 'did you mean ucctl agent list --queue Support?'],
    ['whoami', 'did you mean ucctl status?'],
    ['queue ls', 'did you mean ucctl queue list?'],
  ])('for %j: %s', async (argv, hint) => {
    const { exit, stderr } = await runUcctl(argv);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(hint)]);
  });

  it('for an extension where a phone number is needed names the command for extensions', async () => {
    const office = await openOffice('102');
    const run = async (argv: string): Promise<string> => {
      const { exit, stderr } = await office.run(argv);
      expect(exit).toBe(2);
      return stderr;
    };
    expect(await run('sms send --to 101 hello --yes')).toContain(
      '--to: "101" is an extension, not a valid phone number\n  try:     to send a message to an extension: ucctl pager send --to 101 "TEXT"',
    );
    expect(await run('sms thread 101')).toContain('ucctl message list --type Pager');
    expect(await run('ringout start --to 101 --yes')).toContain("use the person's direct number");
    expect(sends(office)).toEqual([]);
  });

  it('for digits that could be a local number is the phone number, and nothing is sent', async () => {
    const office = await openOffice('102');
    const env = { UCCTL_DEFAULT_COUNTRY: 'DE' };
    const commands = ['ringout start --to 20123', 'sms send --to 20123 hello'];
    for (const argv of commands) {
      const { exit, stderr } = await office.run(`${argv} --yes`, { env });
      expect([argv, exit, stderr]).toEqual([
        argv,
        2,
        expect.stringContaining(
          '--to: "20123" is a short code or an extension, not a valid phone number; for the phone number +4920123, write the country code',
        ),
      ]);
    }
    expect(sends(office)).toEqual([]);
  });

  it('for a number that is too short is --force-number, and nothing is sent without it', async () => {
    const office = await openOffice('102');
    const short = await office.run('sms send --to +1650555 hello --yes');
    expect([short.exit, short.stderr, sends(office)]).toEqual([
      2,
      expect.stringMatching(
        /"\+1650555" is too short .*\n.*nothing was sent; .*--force-number to use the number anyway/,
      ),
      [],
    ]);
    const forced = await office.run('sms send --to +1650555 hello --force-number --dry-run -o json');
    expect([forced.exit, forced.stdout]).toEqual([0, expect.stringContaining('+1650555')]);
    const stdin = 'to\n+1650555\n';
    const list = await office.run('sms send -f - --template Hi --yes', { stdin });
    expect([list.exit, list.stderr]).toEqual([2, expect.stringContaining('--force-number')]);
    const forcedList = await office.run('sms send -f - --template Hi --force-number --dry-run', { stdin });
    expect(forcedList.exit).toBe(0);
    expect((await office.run('ringout start --to +4930 --yes')).exit).toBe(2);
    expect(sends(office)).toEqual([]);
  });

  it.each([
    ['+4930', 'too short'],
    ['+493012', 'too short'],
    ['+49 30 12', 'too short'],
    ['+4', 'too short'],
    ['+4930123456789012', 'too long'],
  ])('for %s, which no country could use, is the number of digits', async (number, problem) => {
    const office = await openOffice('102');
    const { exit, stderr } = await office.run([
      'sms',
      'send',
      '--to',
      number,
      'hello',
      '--force-number',
      '--yes',
    ]);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`--to: "${number}" is not a valid phone number: it is ${problem}`),
    ]);
    expect(stderr).toContain('check the number: with its country code, a phone number has 7 to 15 digits');
    expect(stderr).not.toContain('write the number with +');
    expect(sends(office)).toEqual([]);
  });

  it('for a number with additional zeros is the number without them', async () => {
    const { run } = await openOffice();
    const stdin = 'queue,extension,action\n0201,0105,add\n';
    const { exit, stderr } = await run('queue apply -f - --yes', { stdin });
    expect(exit).toBe(2);
    expect(stderr).toContain('queue "0201" not found (did you mean Support (201)?)');
    expect(stderr).toContain('agent "0105" not found (did you mean Chris Smith (105)?)');
  });

  it('for a number with additional zeros names the queue or person that has it, also in the wrong column', async () => {
    const { run } = await openOffice();
    const stdin = 'queue,extension,action\n0105,0201,add\n';
    const { exit, stderr } = await run('queue apply -f - --yes', { stdin });
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'agent "0201" not found (did you mean Support (201)? 201 is not an agent; specify a person instead of a queue)',
    );
    expect(stderr).toContain(
      'queue "0105" not found (did you mean Chris Smith (105)? 105 is not a queue; list the queues: ucctl queue list)',
    );
  });

  it('for a run that can be undone follows on a terminal', async () => {
    const office = await openOffice();
    const cwd = temporaryFolder();
    const paths = temporaryPaths();
    writeFileSync(join(cwd, 'list.csv'), 'queue,extension,action\n201,105,add\n');
    const note = 'Undo: ucctl history undo last\n';
    const terminal = { cwd, paths, terminal: 100 };
    const undo = 'history undo last --yes';
    const applied = await office.run('queue apply -f list.csv --yes', terminal);
    expect(applied.stderr).toContain(note);
    expect((await office.run(undo, terminal)).stderr).not.toContain(note);
    const assigned = await office.run('queue assign --queue 201 --add 105 --yes', terminal);
    expect(assigned.stderr).toContain(note);
    const presence = 'presence set 102 103 --user-status Busy --yes';
    expect((await office.run(presence, terminal)).stderr).toContain(note);
    await office.run(undo, terminal);
    expect((await office.run(`${presence} --quiet`, terminal)).stderr).not.toContain(note);
    await office.run(undo, terminal);
    expect((await office.run(presence, { cwd, paths })).stderr).not.toContain(note);
  });

  it('for the status of a sandbox user is the command that changes it', async () => {
    const argv = 'sandbox trigger extension extension=107 status=Disabled';
    const { exit, stderr } = await runUcctl(argv, { nouns: [sandboxNoun] });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('ucctl sandbox user disable 107')]);
  });
});
