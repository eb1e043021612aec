import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordText } from '../../../src/commands/sandbox/record-file.ts';
import { startSandbox, type ReadyFile, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sandboxHttp } from '../../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

/** A sandbox with a ready file, and commands that use them. */
async function open(options: SandboxOptions) {
  const sandbox = await startSandbox(options);
  const paths = temporaryPaths();
  const file = join(temporaryFolder(), 'ready.json');
  writeFileSync(file, recordText(sandbox.ready));
  const run = (words: readonly string[], more: { env?: Record<string, string>; stdin?: string } = {}) =>
    runUcctl(words, { paths, sandbox: { http: sandboxHttp(sandbox) }, ...more });
  const control = (words: string) =>
    run(['sandbox', ...words.split(' '), '--ready-file', file, '-o', 'json']);
  const environment = async () => JSON.parse((await control('env')).stdout) as Record<string, string>;
  return { sandbox, run, control, environment, [Symbol.asyncDispose]: () => sandbox.close() };
}

describe('sandbox env', () => {
  test.each(['https://sandbox.test:8443', 'http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])(
    'exports the public URL %s as the base URL, and no media host',
    async (publicUrl) => {
      await using office = await open({ publicUrl });
      const variables = await office.environment();
      expect(variables['UCCTL_BASE_URL']).toBe(publicUrl);
      expect(variables).not.toHaveProperty('UCCTL_MEDIA_HOSTS');
    },
  );

  test('exports the local address if ucctl rejects the public URL, and no media host', async () => {
    await using office = await open({ publicUrl: 'http://sandbox.test:8080' });
    const variables = await office.environment();
    expect(variables['UCCTL_BASE_URL']).toBe(office.sandbox.url);
    expect(variables).not.toHaveProperty('UCCTL_MEDIA_HOSTS');
    expect((await office.run(['config', 'list'], { env: variables })).exit).toBe(0);
  });

  test('exports the media host of a media port', async () => {
    await using office = await open({ mediaPort: 0 });
    const media = new URL(office.sandbox.ready.mediaUrl).host;
    expect(await office.environment()).toMatchObject({
      UCCTL_BASE_URL: office.sandbox.url,
      UCCTL_MEDIA_HOSTS: media,
    });
  });
});

test('ucctl signs in and downloads with the public URL; control commands use the local address', async () => {
  await using office = await open({ publicUrl: 'https://sandbox.test:8443' });
  const env = await office.environment();
  const { assertion } = JSON.parse((await office.control('assertion 100')).stdout) as { assertion: string };
  const login = ['login', '--flow', 'jwt', '--assertion-stdin', '--store', 'file'];
  expect(await office.run(login, { env, stdin: assertion })).toMatchObject({ exit: 0 });
  const trigger = await office.control('trigger voicemail to=100');
  expect(trigger).toMatchObject({ exit: 0, stderr: '' });
  const { messageId } = JSON.parse(trigger.stdout) as { messageId: string };
  const words = ['download', messageId, '--dir', temporaryFolder()];
  expect(await office.run(words, { env })).toMatchObject({ exit: 0 });
});

describe('sandbox start --public-url', () => {
  async function started(words: readonly string[]) {
    const ending = new AbortController();
    const onStdout = () => ending.abort();
    const result = await runUcctl(['sandbox', 'start', ...words], { signal: ending.signal, onStdout });
    return { ...result, ready: () => JSON.parse(result.stdout) as ReadyFile };
  }

  test('names the public URL, and warns if ucctl rejects it', async () => {
    const secure = await started(['--public-url', 'https://sandbox.test:8443/', '-o', 'json']);
    expect(secure.ready()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as string,
      publicUrl: 'https://sandbox.test:8443',
    });
    expect(secure.stderr).not.toContain('warning');
    const plain = await started(['--public-url', 'http://sandbox.test:8080', '-o', 'json']);
    expect(plain.ready()).toMatchObject({ publicUrl: 'http://sandbox.test:8080' });
    expect(plain.stderr).toContain('warning: ucctl accepts http:// only for this machine');
    expect((await started(['-o', 'json'])).ready()).not.toHaveProperty('publicUrl');
  });

  test('is suggested if other machines cannot reach the addresses of links', async () => {
    const warning = (url: string): string =>
      `warning: links in replies begin with ${url}, which other machines cannot reach; to set the address of links: --public-url http://HOST:PORT`;
    const open = await started(['--host', '0.0.0.0', '--port', '0', '-o', 'json']);
    expect(open.stderr).toContain(warning(open.ready().url));
    const words = ['--host', '0.0.0.0', '--port', '0', '--public-url', 'http://sandbox.test:8080'];
    expect((await started(words)).stderr).not.toContain('links in replies');
    expect((await started(['--port', '0'])).stderr).not.toContain('links in replies');
  });

  test.each([
    ['foo', 'foo'],
    ['sandbox:8080', 'sandbox:8080'],
    ['ftp://a', 'ftp://a'],
    ['http://a/b', 'http://a/b'],
    ['http://a?b', 'http://a?b'],
    ['http://user@a', 'http://***@a'],
  ])('rejects %s with exit 2 and names the flag', async (url, shown) => {
    const result = await runUcctl(['sandbox', 'start', '--public-url', url]);
    expect(result).toMatchObject({ exit: 2, stdout: '' });
    expect(result.stderr).toContain(
      `--public-url: "${shown}" is not an http or https address without a path`,
    );
  });
});
