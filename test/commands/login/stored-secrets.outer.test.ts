import { existsSync, readdirSync } from 'node:fs';
import { expect, onTestFinished, test, describe } from 'vitest';
import { sessionsFolder } from '../../../src/auth/sessions-folder.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, signInAs, userOf } from '../../support/sandbox.ts';
import { secretServiceMissing, startSecretService } from '../../support/secret-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const key = Buffer.alloc(32, 7).toString('base64');

/** A profile that is signed in, with the address of a chat webhook and the keys of a subscription in its token store. */
async function office(env: Readonly<Record<string, string>>, flags = '') {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const { username, password } = userOf(sandbox, '101');
  const run = (line: string): Promise<RunResult> =>
    runUcctl(line, {
      sandbox: { http: sandboxHttp(sandbox) },
      paths,
      now: () => sandbox.clock.now(),
      env: {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        UCCTL_PASSWORD: password,
        ...env,
      },
    });
  const signIn = (profile = 'default'): Promise<RunResult> =>
    run(`login -p ${profile} --flow password --username ${username} ${flags}`);
  expect(await signIn()).toMatchObject({ exit: 0 });
  const id = async (line: string): Promise<string> => {
    const { exit, stdout, stderr } = await run(`${line} -o json`);
    expect([exit, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { readonly id: string }).id;
  };
  const webhook = await id('webhook create --group 3301');
  const subscription = await id('subscribe create --events messages --transport channel');
  const files = (): readonly string[] => {
    const folder = sessionsFolder(paths.config);
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  };
  return { run, signIn, webhook, subscription, files };
}

const secretsAmong = (files: readonly string[]): readonly string[] =>
  files.filter((name) => name.includes('%23')).map((name) => decodeURIComponent(name));

describe('the keys and addresses in the file store', () => {
  const env = { UCCTL_STORE: 'file' };

  test('remain after logout, which says so, and profile remove deletes them', async () => {
    const { run, webhook, subscription, files } = await office(env);
    const stored = [`default#chat-webhook:${webhook}.json`, `default#subscription:${subscription}.json`];
    const out = await run('logout');
    expect(out).toMatchObject({ exit: 0 });
    expect(out.stderr).toContain('2 secrets of subscriptions and chat webhooks remain in');
    expect(out.stderr).toContain('ucctl profile remove default');
    expect(secretsAmong(files())).toEqual(stored);
    const dry = await run('profile remove default -n');
    expect(dry.stderr).toContain('ucctl would delete 2 secrets');
    expect(secretsAmong(files())).toEqual(stored);
    const removal = await run('profile remove default');
    expect(removal).toMatchObject({ exit: 0 });
    expect(removal.stderr).toContain('Deleted 2 secrets');
    expect(files()).toEqual([]);
    expect((await run('logout')).stderr).not.toContain('secrets of');
  });

  test('are deleted by profile remove also if the config file does not contain the profile', async () => {
    const sandbox = await startSandbox({ listen: false });
    onTestFinished(() => sandbox.close());
    const paths = temporaryPaths();
    const token = await signInAs(sandbox, 'administrator');
    const run = (line: string, more: Readonly<Record<string, string>> = {}): Promise<RunResult> =>
      runUcctl(line, {
        sandbox: { http: sandboxHttp(sandbox) },
        paths,
        now: () => sandbox.clock.now(),
        env: { UCCTL_BASE_URL: sandbox.url, ...env, ...more },
      });
    const files = (): readonly string[] => readdirSync(sessionsFolder(paths.config));
    expect(await run('profile remove default')).toMatchObject({ exit: 3 });
    expect(await run('webhook create --group 3301', { UCCTL_TOKEN: token })).toMatchObject({ exit: 0 });
    const one = await run('logout');
    expect(one.stderr).toContain('1 secret of subscriptions and chat webhooks remains in');
    expect(one.stderr).toContain('because it does not depend on the session.');
    expect(one.stderr).toContain(
      'To delete it and the settings of the profile: ucctl profile remove default',
    );
    await run('subscribe create --events messages --transport channel', { UCCTL_TOKEN: token });
    const two = await run('logout');
    expect(two.stderr).toContain('because they do not depend on the session.');
    expect(two.stderr).toContain('To delete them and the settings of the profile: ucctl profile remove');
    const dry = await run('profile remove default -n');
    expect([dry.exit, dry.stderr]).toEqual([0, expect.stringContaining('ucctl would delete 2 secrets')]);
    expect(files()).toHaveLength(2);
    const removal = await run('profile remove default');
    expect([removal.exit, removal.stderr]).toEqual([0, expect.stringContaining('Deleted 2 secrets')]);
    expect(files()).toEqual([]);
    expect(await run('profile remove default')).toMatchObject({ exit: 3 });
    expect(await run('profile remove default -n')).toMatchObject({ exit: 3 });
  });

  test('of another profile are not deleted', async () => {
    const { run, signIn, files } = await office(env);
    await signIn('default-2');
    expect(await run('webhook create -p default-2 --group 3301')).toMatchObject({ exit: 0 });
    await run('logout');
    await run('profile remove default -p default-2');
    expect(secretsAmong(files())).toEqual([expect.stringMatching(/^default-2#chat-webhook:/)]);
  });

  test('are deleted with a subscription or webhook that does not exist any more', async () => {
    const { run, signIn, webhook, subscription, files } = await office(env);
    await signIn('other');
    expect(await run(`subscribe delete -p other ${subscription}`)).toMatchObject({ exit: 0 });
    expect(await run(`webhook delete -p other ${webhook} --yes`)).toMatchObject({ exit: 0 });
    expect(secretsAmong(files())).toHaveLength(2);
    expect(await run(`subscribe delete ${subscription}`)).toMatchObject({ exit: 3 });
    expect(await run(`webhook delete ${webhook} --yes`)).toMatchObject({ exit: 3 });
    expect(secretsAmong(files())).toEqual([]);
  });

  test('are deleted also if the profile uses another token store now', async () => {
    const { run, files } = await office(env);
    await run('logout');
    expect(await run('config set store memory')).toMatchObject({ exit: 0 });
    expect(await run('profile remove default')).toMatchObject({ exit: 0 });
    expect(files()).toEqual([]);
  });
});

const missing = secretServiceMissing();

test.skipIf(missing)('profile remove deletes the keys and addresses in the keychain', async () => {
  const service = await startSecretService('unlocked');
  onTestFinished(() => service.stop());
  const { run, webhook, files } = await office({ ...service.env, UCCTL_STORE: '' });
  const post = `webhook post ${webhook} "to the team" --yes`;
  expect((await run('logout')).stderr).toContain('2 secrets');
  // A post needs only the address.
  expect(await run(post)).toMatchObject({ exit: 0 });
  const removal = await run('profile remove default');
  expect([removal.exit, removal.stderr]).toEqual([0, expect.stringContaining('Deleted 2 secrets')]);
  expect(files()).toEqual([]);
  expect(await run(post)).toMatchObject({ exit: 4 });
});

test.skipIf(missing)('profile remove warns of secrets in a keychain that is not available', async () => {
  const service = await startSecretService('unlocked');
  onTestFinished(() => service.stop());
  const { run, files } = await office({ ...service.env, UCCTL_STORE: '' });
  await run('logout');
  await service.stop();
  const stored = files();
  const removal = await run('profile remove default');
  expect(removal.exit).toBe(0);
  expect(removal.stderr).toContain(
    'could not delete 2 secrets of subscriptions and chat webhooks in the keyring',
  );
  expect(stored).toHaveLength(2);
  // The config file does not contain the profile any more, so there is nothing else to remove.
  expect(await run('profile remove default')).toMatchObject({
    exit: 12,
    stderr: expect.stringMatching(
      /could not delete 2 secrets .* keyring[^]*where the keychain is available/,
    ) as string,
  });
  expect(files()).toEqual(stored);
});

test.skipIf(postgresMissing())(
  'profile remove deletes the keys and addresses in the PostgreSQL store',
  async () => {
    const { db, url } = await clockStore(Date.now());
    const key = Buffer.alloc(32, 7).toString('base64');
    const { run } = await office({ UCCTL_STORE: url, UCCTL_STORE_KEY: key });
    const items = (): Promise<readonly object[]> => db.query('select item from session');
    expect(await run('logout')).toMatchObject({ exit: 0 });
    expect(await items()).toHaveLength(2);
    const removal = await run('profile remove default');
    expect([removal.exit, removal.stderr]).toEqual([0, expect.stringContaining('Deleted 2 secrets')]);
    expect(await items()).toEqual([]);
  },
);

test.skipIf(postgresMissing())(
  'profile remove opens the PostgreSQL store of the profile that it removes',
  async () => {
    const { db, url } = await clockStore(Date.now());
    const { run } = await office({ UCCTL_STORE: '', UCCTL_STORE_KEY: key }, `--store ${url}`);
    expect(await run('profile add own --store postgres://127.0.0.1:1/own')).toMatchObject({ exit: 0 });
    expect(await run('profile use own')).toMatchObject({ exit: 0 });
    expect(await run('profile remove default')).toMatchObject({ exit: 11 });
    const out = await run('logout -p default');
    expect(out.stderr).toContain('ucctl profile remove default');
    const dry = await run('profile remove default -n');
    expect(dry.stderr).toContain('ucctl would delete 2 secrets');
    const removal = await run('profile remove default');
    expect([removal.exit, removal.stderr]).toEqual([0, expect.stringContaining('Deleted 2 secrets')]);
    expect(await db.query('select item from session')).toEqual([]);
    expect(await run('profile show default')).toMatchObject({ exit: 3 });
  },
);

test('profile remove does not remove a profile whose PostgreSQL store is not available', async () => {
  const { run } = await office({ UCCTL_STORE: '', UCCTL_STORE_KEY: key }, '--store file');
  await run('profile add lab --store postgres://127.0.0.1:1/lab');
  expect(await run('profile remove lab')).toMatchObject({
    exit: 12,
    stderr: expect.stringContaining('127.0.0.1:1') as string,
  });
  expect(await run('profile show lab')).toMatchObject({ exit: 0 });
});
