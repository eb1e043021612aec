import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { startProcess } from '../support/process.ts';
import { signInAs } from '../support/sandbox.ts';

let root: string;
let names: readonly string[];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ucctl-damaged-'));
  for (const part of ['bin', 'dist/cli', 'package.json']) cpSync(part, join(root, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const lines = readFileSync(join(root, 'dist/cli/files.txt'), 'utf8').trim().split('\n');
  names = lines.slice(0, -1).map((line) => line.split(' ')[1] ?? '');
});
afterAll(() => rmSync(root, { recursive: true }));

const unreachable = ['queue', 'list', '--base-url', 'http://127.0.0.1:9'];

/** Runs a command on a copy whose file has other content. By default, the command fails to connect. */
async function runWith(
  name: string,
  damage: (content: Buffer) => Uint8Array,
  words: readonly string[] = unreachable,
  variables: Readonly<Record<string, string>> = {},
) {
  const file = join(root, 'dist/cli', name);
  const content = readFileSync(file);
  writeFileSync(file, damage(content));
  try {
    const env = {
      HOME: root,
      UCCTL_TOKEN: 'a-token-of-this-test',
      UCCTL_RETRY: '0',
      UCCTL_CACHE_DIR: join(root, 'cache'),
      ...variables,
    };
    return await startProcess(process.execPath, [join(root, 'bin/ucctl.cjs'), ...words], { env }).ended;
  } finally {
    writeFileSync(file, content);
  }
}

/** The largest part whose name begins so. Parts for few commands can have the same beginning. */
function largestOf(start: string): string {
  const size = (name: string): number => statSync(join(root, 'dist/cli', name)).size;
  const found = names.filter((one) => one.startsWith(start)).toSorted((a, b) => size(b) - size(a));
  return found[0] ?? start;
}

const half = (content: Buffer): Uint8Array => content.subarray(0, content.length / 2);
const empty = (): Uint8Array => Buffer.alloc(0);
const zeros = (content: Buffer): Uint8Array => Buffer.alloc(content.length);

describe('a damaged installation', () => {
  // A part of each kind: the entry, parts that it loads at once, and parts that a command loads later.
  it.each([
    ['main.cjs', empty],
    ['main.cjs', half],
    ['main.cjs', zeros],
    ['code-cache.cjs', empty],
    ['rolldown-runtime-', half],
    ['program-', empty],
    ['noun-queue-', empty],
    ['noun-queue-', half],
    ['to-failure-', half],
    ['network-', empty],
  ])('%s (%o) is reported with the remedy', async (start, damage) => {
    const name = largestOf(start);
    const { exit, stdout, stderr } = await runWith(name, damage);
    expect([exit, stdout]).toEqual([12, '']);
    expect(stderr).toContain(`the installation of ucctl is damaged: dist/cli/${name}`);
    expect(stderr).toContain('reinstall ucctl');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('is reported before a text is sent, also if only the result format is damaged', async () => {
    const sandbox = await startSandbox({ port: 0 });
    onTestFinished(() => sandbox.close());
    const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
    const send = ['sms', 'send', 'hello', '--to', '+14155550142', '--yes'];
    const name = largestOf('delimited-');
    const { exit, stderr } = await runWith(name, half, send, env);
    expect([exit, stderr]).toEqual([12, expect.stringContaining(`is damaged: dist/cli/${name}`)]);
    const listed = await runWith(
      name,
      (content) => content,
      ['message', 'list', '--type', 'SMS', '--direction', 'Outbound', '-o', 'json'],
      env,
    );
    expect([listed.exit, JSON.parse(listed.stdout)]).toEqual([0, []]);
  });

  it('is not reported for other failures', async () => {
    const { exit, stderr } = await runWith('main.cjs', (content) => content);
    expect([exit, stderr]).toEqual([7, expect.stringContaining('cannot connect')]);
  });
});
