import { existsSync, readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

interface Shown {
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, string>>;
}

async function office() {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const sent: string[] = [];
  const send = sandboxHttp(sandbox);
  const http: HttpSend = (request) => {
    sent.push(`${request.method} ${request.url.pathname}`);
    return send(request);
  };
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_CLIENT_ID: sandbox.ready.clientId, UCCTL_STORE: 'file' };
  const run = (line: string, more: RunOptions = {}) =>
    runUcctl(line, { sandbox: { http }, paths, ...more, env: { ...env, ...more.env } });
  return { sandbox, paths, sent, run };
}

const partner = '--brand-id 1210 --account-id 7';
const cases: readonly (readonly [string, string, readonly string[], Readonly<Record<string, string>>])[] = [
  [
    'password',
    '--username +16505550112 --access-token-ttl 10m',
    ['POST /restapi/oauth/token'],
    {
      grant_type: 'password',
      username: '+16505550112',
      password: '***',
      access_token_ttl: '600',
    },
  ],
  [
    'password',
    '--username +4402079460958*101',
    ['POST /restapi/oauth/token'],
    { username: '+442079460958', extension: '101' },
  ],
  [
    'code',
    '',
    ['GET /restapi/oauth/authorize', 'POST /restapi/oauth/token'],
    { grant_type: 'authorization_code', code: '***', code_verifier: '***' },
  ],
  [
    'client-credentials',
    `--session account ${partner}`,
    ['POST /restapi/oauth/token'],
    { grant_type: 'client_credentials', brand_id: '1210', account_id: '7' },
  ],
  [
    'jwt',
    '',
    ['POST /restapi/oauth/token'],
    { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: '***' },
  ],
];

test.each(cases)(
  'login --flow %s -n shows its requests and does nothing',
  async (flow, words, lines, body) => {
    const { paths, sent, run } = await office();
    const { exit, stdout, stderr } = await run(`login --flow ${flow} ${words} -n -o json`);
    expect([exit, stderr, sent]).toEqual([0, expect.not.stringContaining('error'), []]);
    const shown = [JSON.parse(stdout) as Shown | Shown[]].flat();
    expect(shown.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(lines);
    expect(shown.at(-1)?.body).toMatchObject(body);
    const text = await run(`login --flow ${flow} ${words} -n`);
    expect(text.stdout).toMatch(/Content-Type: application\/x-www-form-urlencoded\n\n\S*grant_type=/);
    expect(existsSync(paths.config) ? readdirSync(paths.config, { recursive: true }) : []).toEqual([]);
  },
);

test('logout -n shows both revocations without tokens and keeps the session', async () => {
  const { sandbox, sent, run } = await office();
  const { username, password } = userOf(sandbox, '102');
  await run(`login --flow password --username ${username}`, {
    env: { UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret, UCCTL_PASSWORD: password },
  });
  sent.splice(0);
  const { exit, stdout } = await run('logout -n -o json');
  expect([exit, sent]).toEqual([0, []]);
  expect(JSON.parse(stdout)).toMatchObject([
    { method: 'POST', url: `${sandbox.url}/restapi/oauth/revoke`, body: { token: '***' } },
    { method: 'POST', body: { token: '***' } },
  ]);
  expect((await run('status')).exit).toBe(0);
  expect((await run('logout -p other -n', { env: { UCCTL_PROFILE: 'default' } })).exit).toBe(2);
});
