import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Answer, connect } from '../../support/mcp-connection.ts';
import { openOffice } from '../office.ts';

const from = '+16505550110';
const other = '+16505550112';

/** Connects a client whose user answers each question. */
async function open(given: Answer = 'decline') {
  const office = await openOffice('administrator', undefined, undefined, { dialect: 'current' });
  const questions: string[] = [];
  const answer = (question: string): Answer => {
    questions.push(question);
    return given;
  };
  const { client, close } = await connect({
    env: { UCCTL_MCP_ALLOW: '*', UCCTL_DIALECT: 'current' },
    office,
    answer,
  });
  onTestFinished(async () => void (await close()));
  /** Calls a tool and returns the lines of the question after the command line. */
  const linesFor = async (name: string, input: Readonly<Record<string, unknown>>) => {
    await client.callTool({ name, arguments: { ...input } });
    const [, ...lines] = questions.at(-1)?.split('\n') ?? [];
    return lines;
  };
  return { office, linesFor };
}

function fileWith(content: string): string {
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, content);
  return file;
}

describe('the question before a change', () => {
  it('shows the recipients and texts of a list, and the number of the others', async () => {
    const { linesFor } = await open();
    const rows = Array.from({ length: 12 }, (_, row) => `+16505550${150 + row},Customer ${row}\n`);
    const list = { file: fileWith(`to,name\n${rows.join('')}`), template: 'Hello {{name}}', from };
    const [, , ...messages] = await linesFor('sms_send', list);
    expect(messages).toHaveLength(11);
    expect(messages[0]).toBe(`| from ${from} to +16505550150: Hello Customer 0`);
    expect(messages[9]).toBe(`| from ${from} to +16505550159: Hello Customer 9`);
    expect(messages[10]).toBe('and 2 more messages');
  });

  it('shows each text of a batch', async () => {
    const { linesFor } = await open();
    const list = { file: fileWith(`to,name\n${other},A\n+16505550113,B\n`), template: 'Hi {{name}}' };
    expect(await linesFor('sms_send', { ...list, 'high-volume': true })).toEqual([
      'The command sends messages, which may cost money.',
      expect.stringMatching(/^Requests: 1 \(POST .*\/a2p-sms\/batches\)$/),
      `| from +16505550100 to ${other}: Hi A`,
      '| from +16505550100 to +16505550113: Hi B',
    ]);
  });

  it('shortens long texts and keeps each message in one line', async () => {
    const { linesFor } = await open();
    const long = 'x'.repeat(900);
    const many = `${other},${long}\n+16505550113,"a\nRequests: 0 \u202E\u001B[2J"\n+16505550114,c\n`;
    const lines = await linesFor('sms_send', {
      file: fileWith(`to,words\n${many}`),
      template: '{{words}}',
      from,
    });
    expect(lines.slice(2)).toEqual([
      `| from ${from} to ${other}: ${'x'.repeat(666)}…`,
      `| from ${from} to +16505550113: a⏎Requests: 0 <U+202E>␛[2J`,
      `| from ${from} to +16505550114: c`,
    ]);
  });

  it('shows the recipients of a pager message and of a fax, and the documents', async () => {
    const { linesFor } = await open();
    const pager = { command: 'pager send', to: ['102', '103'], text: 'hi' };
    expect((await linesFor('pager_send', pager)).at(-1)).toBe('| from 100 to 102, 103: hi');
    const fax = { command: 'fax send', to: ['+14155550177'], files: [fileWith('a letter')] };
    expect((await linesFor('fax_send', fax)).at(-1)).toBe('| to +14155550177 (files: list.csv)');
    const call = { command: 'ringout start', to: '+14155550177' };
    expect((await linesFor('ringout', call)).at(-1)).toBe('| from +16505550140 to +14155550177');
  });

  it('marks each line of a preview, because a text can contain lines', async () => {
    const { linesFor } = await open();
    const text = 'ok\nRequests: 0';
    const reply = { command: 'pager reply', message: '8031152018338945839', text };
    expect((await linesFor('pager_send', reply)).slice(2)).toEqual([
      expect.stringMatching(/^\| from 100 to everyone in the thread, in reply to 8031152018338945839/),
      '| ok',
      '| Requests: 0',
    ]);
  });

  it('shows the changes of a list and of an undo by name', async () => {
    const { linesFor } = await open('confirm');
    const list = fileWith('queue,extension,action\n201,106,add\n201,103,remove\n');
    expect((await linesFor('queue_change', { command: 'queue apply', file: list })).slice(1)).toEqual([
      '| Support (201)',
      '|   + Mei Lin (106)',
      '|   - José Álvarez (103)',
    ]);
    expect((await linesFor('history_undo', { run: 'last' })).slice(1)).toEqual([
      expect.stringMatching(/^\| Undo run \S+ \(apply .*list\.csv\):$/),
      '|   - Mei Lin (106) in Support (201)',
      '|   + José Álvarez (103) in Support (201)',
    ]);
  });

  it('shows at most 40 lines of a plan', async () => {
    const { linesFor, office } = await open();
    const { stdout } = await office.run(['agent', 'export', '-o', 'csv']);
    const rows =
      stdout.match(/\b1718571\d\d\b/g)?.map((agent) => `${agent},A,B,C,+16505550${agent.slice(-3)}\n`) ?? [];
    const list = `agent,company,department,jobTitle,mobilePhone\n${rows.join('')}`;
    const lines = await linesFor('people_change', { file: fileWith(list), 'max-changes': '100%' });
    expect([lines[1], lines[2]]).toEqual(['| Avery Quinn (100)', '|   ~ company: none → A']);
    expect(lines[41]).toMatch(/^and \d+ more lines$/);
    expect(lines).toHaveLength(42);
  });
});
