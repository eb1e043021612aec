import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';

it('config set and login do not replace the token store "file" with the address of a PostgreSQL store', async () => {
  const paths = temporaryPaths();
  const run = (words: string) => runUcctl(words, { paths });
  const file = () => readFileSync(join(paths.config, 'config.json'), 'utf8');
  expect(await run('config set store file')).toMatchObject({ exit: 0 });
  const commands = [
    'config set store postgres:///ucctl',
    'config set store postgres:///ucctl --dry-run',
    'login --store postgres:///ucctl --base-url http://127.0.0.1:1 --client-id KEY',
  ];
  for (const words of commands) {
    const { exit, stderr } = await run(words);
    expect([words, exit, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      words,
      2,
      expect.stringMatching(
        /profile "default" stores its session in a file, .*UCCTL_STORE.*ucctl config unset store/,
      ),
    ]);
    expect(file()).toContain('"store": "file"');
  }
  await run('config unset store');
  expect(await run('config set store postgres:///ucctl')).toMatchObject({ exit: 0 });
});

it.each(['file', 'keychain', 'memory'])(
  'config set replaces the address of a PostgreSQL store with %s only after a confirmation',
  async (store) => {
    const paths = temporaryPaths();
    const run = (words: string) => runUcctl(words, { paths });
    const stored = () => readFileSync(join(paths.config, 'config.json'), 'utf8');
    const address = 'postgres://ada@db.example.com/ucctl';
    await run(`config set store ${address}`);
    const before = stored();
    const declined = await run(`config set store ${store}`);
    expect(declined.exit).toBe(9);
    expect(declined.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `profile "default" would no longer use the store ${address}`,
    );
    expect(await run(`config set store ${store} --dry-run`)).toMatchObject({ exit: 0 });
    expect(stored()).toBe(before);
    expect(await run(`config set store ${store} --yes`)).toMatchObject({ exit: 0 });
    expect(stored()).toContain(`"store": "${store}"`);
    expect(await run(`config set store ${store}`)).toMatchObject({ exit: 0 });
  },
);
