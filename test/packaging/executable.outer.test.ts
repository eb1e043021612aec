import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { addonFile } from '../../scripts/release/executable.ts';
import { ownTarget, targetOf } from '../../scripts/release/targets.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { chrootMissing, makeRelease, makeRoot, releaseMissing } from '../support/executable.ts';
import { startProcess, type Ended } from '../support/process.ts';
import { userOf } from '../support/sandbox.ts';
import { secretServiceMissing, startSecretService } from '../support/secret-service.ts';

const missing = releaseMissing();
const noChroot = chrootMissing();
const noKeychain = secretServiceMissing();

describe.skipIf(missing)(`the single executable${missing === undefined ? '' : ` (${missing})`}`, () => {
  let file = '';
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ucctl-release-'));
    // An executable of an earlier build, which no package may contain.
    writeFileSync(join(folder, `ucctl-${version}-${ownTarget}`), '');
    file = await makeRelease(folder, 'deb', 'image', 'bom', 'licenses');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
    input = '',
  ): Promise<Ended> => {
    return startProcess(file, words, { input, env: { PATH: '', HOME: folder, ...env } }).ended;
  };

  it('runs without Node and without a PATH: help, completion, manual pages, schemas', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run([])).stdout).toContain('ucctl init');
    expect((await run(['queue', 'list', '--help'])).stdout).toContain('ucctl queue list');
    expect((await run(['__complete', 'words', '=que'])).stdout).toBe(
      'none\nqueue\tCall queues and their agents\n',
    );
    expect((await run(['man', 'install', '--dir', join(folder, 'man')])).exit).toBe(0);
    expect(readdirSync(join(folder, 'man', 'man1'))).toContain('ucctl-queue.1');
    expect((await run(['schema', 'queue', 'list'])).stdout).toContain('"Department"');
  });

  it('contains no path of the machine that built it, so that builds in other folders are identical', () => {
    expect(readFileSync(file).includes(process.cwd())).toBe(false);
  });

  it('contains the compiled code of a command that shows a reply', () => {
    expect(readFileSync(file).includes('compiled/dist/cli/table-')).toBe(true);
  });

  it('does not load code that NODE_OPTIONS names', async () => {
    const { exit, stderr } = await run(['--version'], { NODE_OPTIONS: '--require=/nonexistent/module.cjs' });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });

  it.skipIf(noChroot)(
    `runs the demo in a root folder that contains only its libraries${noChroot === undefined ? '' : ` (${noChroot})`}`,
    async () => {
      const root = join(folder, 'root');
      makeRoot(root, file);
      copyFileSync(file, join(root, 'ucctl'));
      // Unlike the program chroot, this one keeps the current folder, which is below the new root folder.
      const inRoot = ['perl', '-e', 'chroot(shift @ARGV) or die; exec(@ARGV) or die', root];
      const demo = ['scripts/run.mjs', 'demo', ...inRoot, '/ucctl'];
      const env = { HOME: '/', TMPDIR: join(root, 'tmp') };
      const { exit, stdout, stderr } = await startProcess(process.execPath, demo, { env }).ended;
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toContain('agents.csv');
    },
  );

  it.skipIf(noChroot)(
    `is installed by dpkg with manual pages and completions${noChroot === undefined ? '' : ` (${noChroot})`}`,
    async () => {
      const root = join(folder, 'debian');
      makeRoot(root, file);
      const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
      // The maintainer scripts need a shell, which needs only libraries of the executable.
      mkdirSync(join(root, 'bin'));
      copyFileSync('/bin/sh', join(root, 'bin/sh'));
      const script = `mkdir -p "$1/var/lib/dpkg/info" "$1/var/lib/dpkg/updates" && touch "$1/var/lib/dpkg/status" &&
        dpkg --root="$1" --force-depends --log=/dev/null -i "$2" && chroot "$1" /usr/bin/ucctl --version`;
      const args = ['-c', script, 'sh', root, join(folder, deb)];
      const { exit, stdout, stderr } = await startProcess('sh', args).ended;
      expect({ exit, stderr }).toMatchObject({ exit: 0 });
      expect(stdout).toMatch(/\d+\.\d+\.\d+\n$/);
      const share = [
        'man/man1/ucctl-queue.1.gz',
        'bash-completion/completions/ucctl',
        'zsh/vendor-completions/_ucctl',
        'fish/vendor_completions.d/ucctl.fish',
        'doc/ucctl/copyright',
      ];
      expect(share.filter((name) => !existsSync(join(root, 'usr/share', name)))).toEqual([]);
    },
  );

  it('is packed with modes that do not depend on the account of the build', () => {
    const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
    const listed = execFileSync('dpkg-deb', ['--contents', join(folder, deb)], { encoding: 'utf8' });
    const image = unpackedImage();
    const inLayer = execFileSync('tar', ['-tvzf', image.layer], { encoding: 'utf8' });
    const modes = `${listed}${inLayer}`
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(new Set(modes)).toEqual(
      new Set(['drwxr-xr-x', '-rw-r--r--', '-rwxr-xr-x', 'drwxrwxrwx', 'drwxrwxrwt']),
    );
  });

  it('is delivered with the licenses of all its parts', () => {
    const licenses = readFileSync(`${file}-licenses.txt`, 'utf8');
    for (const part of ['preact 1', 'echarts 6', 'Copyright Node.js contributors', 'zbus'])
      expect(licenses).toContain(part);
    const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
    const unpacked = join(folder, 'licenses');
    execFileSync('dpkg-deb', ['--extract', join(folder, deb), unpacked]);
    expect(readFileSync(join(unpacked, 'usr/share/doc/ucctl/copyright'), 'utf8')).toBe(licenses);
  });

  it('is listed with all its parts in the bill of materials', () => {
    const bill = JSON.parse(readFileSync(join(folder, `ucctl-${version}.cdx.json`), 'utf8')) as {
      readonly components: readonly { readonly name: string }[];
    };
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['preact', 'echarts', 'undici', 'zod', 'node', 'libc6']));
    expect(names).not.toContain('vitest');
  });

  /** Unpacks the image as Docker does. */
  function unpackedImage(): { readonly names: readonly string[]; readonly layer: string } {
    const layout = join(folder, 'layout');
    mkdirSync(layout, { recursive: true });
    execFileSync('tar', ['-xf', join(folder, `ucctl-${version}-image.tar`), '-C', layout]);
    const [image] = JSON.parse(readFileSync(join(layout, 'manifest.json'), 'utf8')) as readonly [
      { readonly RepoTags: readonly string[]; readonly Layers: readonly string[] },
    ];
    return { names: image.RepoTags, layer: join(layout, image.Layers[0] ?? '') };
  }

  it.skipIf(noChroot)(
    `runs in the image, which contains the libraries of the keychain addon${noChroot === undefined ? '' : ` (${noChroot})`}`,
    async () => {
      const { names, layer } = unpackedImage();
      const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
        readonly services: Readonly<Record<string, { readonly image: string }>>;
      };
      expect(names).toEqual([compose.services['sandbox']?.image]);
      const root = join(folder, 'image');
      mkdirSync(root);
      execFileSync('tar', ['-xzpf', layer, '-C', root]);
      const inImage = (...words: readonly string[]): Promise<Ended> =>
        startProcess('chroot', ['--userspec=65532:65532', root, ...words], {
          env: { HOME: '/home/ucctl' },
        }).ended;
      const own = ['config', 'set', 'timeout', '20', '-o', 'json'];
      expect(await inImage('/usr/bin/ucctl', ...own)).toMatchObject({ exit: 0, stderr: '' });
      // The system loads the addon only if it finds all its libraries.
      copyFileSync(addonFile(targetOf(ownTarget)), join(root, 'addon.node'));
      const loaded = await inImage('/lib64/ld-linux-x86-64.so.2', '--list', '/addon.node');
      expect(loaded).toMatchObject({ exit: 0, stderr: '' });
      expect(existsSync(join(root, 'usr/share/common-licenses/LGPL-2.1'))).toBe(true);
    },
  );

  it('names the sign-in without a keychain if it cannot extract its keychain addon, as on a read-only disk', async () => {
    const { exit, stderr } = await run(['status', '-o', 'json'], { UCCTL_CACHE_DIR: '/proc/no-folder' });
    const { error } = JSON.parse(stderr) as { readonly error: Readonly<Record<string, unknown>> };
    expect([exit, error]).toEqual([
      12,
      expect.objectContaining({
        code: 'keychain_missing',
        message: 'the session cannot be read: ucctl cannot load its keychain addon',
      }),
    ]);
  });

  it.skipIf(noKeychain)(
    `stores a session in the keychain with an addon that it extracts once${noKeychain === undefined ? '' : ` (${noKeychain})`}`,
    async () => {
      const keyring = await startSecretService('unlocked');
      const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off', listen: true });
      onTestFinished(async () => {
        await sandbox.close();
        await keyring.stop();
      });
      const { username, password } = userOf(sandbox, 'administrator');
      const env = {
        ...keyring.env,
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      };
      const login = ['login', '--flow', 'password', '--username', username, '--password-stdin'];
      expect(await run(login, env, password)).toMatchObject({ exit: 0 });
      const list = await run(['queue', 'list', '--jq', '.[0].name'], env);
      expect(list).toMatchObject({ exit: 0, stdout: 'Support\n' });
      const native = readdirSync(join(keyring.home, 'cache', 'ucctl', 'native'));
      expect(native).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.node$/)]);
    },
  );
});
