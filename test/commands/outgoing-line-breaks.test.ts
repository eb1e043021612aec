import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bodyMembers } from '../../src/platform/body-members.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openOffice } from './office.ts';

const written = 'two\r\n\r\nlines';

it.each<[string, string[]]>([
  ['sms send', ['sms', 'send', '--to', '+16505550112', written]],
  ['sms send --template', ['sms', 'send', '--file', 'list.csv', '--template', written]],
  ['pager send', ['pager', 'send', '--to', '101', written]],
  [
    'fax send --cover-text',
    ['fax', 'send', '--to', '+14155550100', 'list.csv', '--cover', '3', '--cover-text', written],
  ],
])('%s sends the line breaks of its argument as line feeds', async (_, command) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'list.csv'), 'to\n+16505550112\n');
  const texts: unknown[] = [];
  const office = await openOffice('102', (send) => (request) => {
    const { stream, body } = request;
    if (request.method === 'POST') {
      const { text, coverPageText } = (stream ? stream.summary : bodyMembers(body)) as Record<
        string,
        unknown
      >;
      texts.push(text ?? coverPageText);
    }
    return send(request);
  });
  expect(await office.run([...command, '--yes'], { cwd })).toMatchObject({ exit: 0 });
  expect(texts).toEqual(['two\n\nlines']);
});
