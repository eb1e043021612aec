import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createUndiciHttp } from '../../../src/client/undici-http.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const fax = ['fax', 'send', '--to', '+14155550100'];
const text = ['sms', 'send', '--to', '+14155550100', 'see file', '--attach'];
const remove = (file: string): void => rmSync(file);

it.each([
  ['a fax whose document is removed', fax, remove, 2, 'unreadable_file'],
  ['a fax whose document becomes shorter', fax, (file: string) => truncateSync(file, 9), 12, 'file_changed'],
  ['a text whose file is removed', text, remove, 2, 'unreadable_file'],
] as const)('%s before it is read was not sent, and its dedupe key is free', async (...scene) => {
  const [, command, change, exit, code] = scene;
  const file = join(temporaryFolder(), 'document.txt');
  const content = 'The text of the document.\n'.repeat(10_000);
  writeFileSync(file, content);
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  let attempts = 0;
  const office = await openOffice(
    '102',
    () => (request) => {
      if (request.stream) attempts += 1;
      if (attempts === 1 && request.stream) change(file);
      return network.send(request);
    },
    ':memory:',
    { listen: true },
  );
  const paths = temporaryPaths();
  const send = () => office.run([...command, file, '--dedupe-key', 'one', '--yes', '-o', 'json'], { paths });
  const sentMessages = async (): Promise<number> => {
    const listed = await office.run('message list --direction outbound -o json', { paths });
    return (JSON.parse(listed.stdout) as unknown[]).length;
  };
  const before = await sentMessages();
  const failed = await send();
  expect([failed.exit, JSON.parse(failed.stderr.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
    exit,
    { error: { code, hint: expect.stringContaining('nothing was sent') as string } },
  ]);
  const { stdout } = await office.run('outcome list -o json', { paths });
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'failed', dedupeKey: 'one' }]);
  writeFileSync(file, content);
  expect(await send()).toMatchObject({ exit: 0 });
  expect(attempts).toBe(2);
  expect(await sentMessages()).toBe(before + 1);
});
