import { expect, test } from 'vitest';
import { openDesk } from '../matrix/desk.ts';

const texts = Array.from({ length: 12 }, (_, at) => `+165055501${at + 10},Hello ${at}`);
const terminal = { terminal: 80 };

test('a long dry run on a terminal shows the requests without their bodies', async () => {
  await using desk = await openDesk({ files: { 'texts.csv': `to,note\n${texts.join('\n')}\n` } });
  const words = 'sms send --file texts.csv --template {{note}} --dry-run';
  const { exit, stdout, stderr } = await desk.run(words, terminal);
  expect([exit, stdout.split('\n')]).toEqual([
    0,
    ['12 requests, not sent:', expect.stringMatching(/^POST http\S+\/sms {2}\(12 times\)$/), ''],
  ]);
  expect(stderr).toContain('Requests with their contents: run the same command with -o json, or in a pipe.');
  expect((await desk.run(words)).stdout.match(/Hello \d+/g)).toHaveLength(12);
  expect(JSON.parse((await desk.run(`${words} -o json`, terminal)).stdout)).toHaveLength(12);
});

test('a long dry run on a terminal only counts further requests after 15 lines', async () => {
  await using desk = await openDesk({ sandbox: { fixture: 'call-center' } });
  const numbers = (await desk.run('agent list --fields number --limit 40')).stdout.trim().split('\n');
  const words = `presence set ${numbers.join(' ')} --user-status Busy --dry-run`;
  const lines = (await desk.run(words, terminal)).stdout.trimEnd().split('\n');
  expect([lines[0], lines.length, lines.at(-1)]).toEqual(['40 requests, not sent:', 17, '… and 25 more']);
});

test('a short dry run on a terminal shows the bodies', async () => {
  await using desk = await openDesk();
  const { stdout } = await desk.run('presence set 102 103 --user-status Busy --dry-run', terminal);
  expect(stdout.match(/"userStatus": "Busy"/g)).toHaveLength(2);
});
