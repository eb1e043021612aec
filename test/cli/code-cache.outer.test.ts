import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProcess, startUcctl } from '../support/process.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ucctl-code-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

function run(
  more: Readonly<Record<string, string>> = {},
  words: readonly string[] = ['queue', 'list', '--help'],
): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/ucctl.cjs', ...words], {
    env: { HOME: home, UCCTL_CACHE_DIR: join(home, 'cache'), ...more },
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

/** The same without waiting for it. */
async function runConcurrently(): Promise<{ stderr: string; status: number | null }> {
  const env = { HOME: home, UCCTL_CACHE_DIR: join(home, 'cache') };
  const { exit, stderr } = await startUcctl(['queue', 'list', '--help'], { env }).ended;
  return { stderr, status: exit };
}

/** The files of the cache by name. */
function cached(): Map<string, string> {
  const all = join(home, 'cache', 'compiled');
  return new Map(
    readdirSync(all).flatMap((folder) =>
      readdirSync(join(all, folder)).map((name) => [name, join(all, folder, name)] as const),
    ),
  );
}

describe('compiled code', () => {
  it('is written by the first run, for its user only, and read by the next', () => {
    const first = run();
    const files = cached();
    const written = [...files.values()].map((file) => statSync(file).mtimeMs);
    const second = run();
    expect(first).toMatchObject({ stderr: '', status: 0 });
    expect(second).toEqual(first);
    expect(files.has('main.cjs.bin')).toBe(true);
    expect([...files.values()].map((file) => statSync(file).mode & 0o777)).toEqual(written.map(() => 0o600));
    expect([...cached().values()].map((file) => statSync(file).mtimeMs)).toEqual(written);
  });

  it('of shared files is extended by the first run of another command', () => {
    const size = (name: string): number => statSync(cached().get(`${name}.cjs.bin`) ?? '').size;
    const program = readdirSync('dist/cli').find((name) => /^program-.*\.cjs$/.test(name)) ?? '';
    const shared = ['main', program.replace('.cjs', '')];
    const another = ['profile', 'list', '-o', 'json'];
    run();
    const first = shared.map(size);
    expect(run({}, another)).toMatchObject({ stderr: '', status: 0 });
    const both = shared.map(size);
    expect(both.map((bytes, index) => bytes > (first[index] ?? 0))).toEqual([true, true]);

    const written = [...cached().values()].map((file) => statSync(file).mtimeMs);
    for (const words of [undefined, another]) expect(run({}, words)).toMatchObject({ stderr: '', status: 0 });
    expect([...cached().values()].map((file) => statSync(file).mtimeMs)).toEqual(written);
  });

  const isNode20 = process.versions.node.startsWith('20.');
  it.skipIf(!isNode20)(
    `is written by a run that does not wait for the optimizing compiler${isNode20 ? '' : ': only on Node 20, the HTTP parser is WebAssembly'}`,
    async () => {
      const service = createServer((_, response) => response.end('{}'));
      await new Promise<void>((resolve) => {
        service.listen(0, '127.0.0.1', resolve);
      });
      try {
        const { port } = service.address() as AddressInfo;
        const env = {
          HOME: home,
          UCCTL_CACHE_DIR: join(home, 'cache'),
          UCCTL_BASE_URL: `http://127.0.0.1:${port}`,
          UCCTL_TOKEN: 'made-up',
        };
        const request = async (): Promise<{ exit: number | null; compiled: readonly string[] }> => {
          const words = ['--trace-wasm-compilation-times', 'bin/ucctl.cjs', 'api', 'GET', '/restapi/v1.0'];
          const { exit, stdout } = await startProcess(process.execPath, words, { env }).ended;
          return { exit, compiled: stdout.match(/(?<=Compiled function .* using )\w+/g) ?? [] };
        };
        const first = await request();
        const written = [...cached().values()].map((file) => statSync(file).mtimeMs);
        const second = await request();
        for (const { exit, compiled } of [first, second]) {
          expect(exit).toBe(0);
          expect(new Set(compiled)).toEqual(new Set(['Liftoff']));
        }
        // Node did not reject what the first run wrote.
        expect([...cached().values()].map((file) => statSync(file).mtimeMs)).toEqual(written);
      } finally {
        service.close();
      }
    },
  );

  it('that was truncated is compiled again', () => {
    const { stdout } = run();
    const main = cached().get('main.cjs.bin') ?? '';
    const whole = statSync(main).size;
    truncateSync(main, 1000);
    expect(run()).toEqual({ stdout, stderr: '', status: 0 });
    expect(statSync(main).size).toBeGreaterThan(whole / 2);
  });

  it('of another file is compiled again', () => {
    const { stdout } = run();
    const main = cached().get('main.cjs.bin') ?? '';
    writeFileSync(main, 'not compiled code');
    expect(run()).toEqual({ stdout, stderr: '', status: 0 });
    expect(readFileSync(main).length).toBeGreaterThan(1000);
  });

  it('that is damaged is compiled again, and never run', () => {
    const first = run();
    const main = cached().get('main.cjs.bin') ?? '';
    const whole = readFileSync(main);
    const places = Array.from({ length: 12 }, (_, index) => Math.floor((whole.length * (index + 0.5)) / 12));
    for (const place of places) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] ?? 0) ^ 0x55;
      writeFileSync(main, damaged);
      expect(run(), `a byte changed at ${place}`).toEqual(first);
      expect(readFileSync(main).equals(damaged), `compiled again after ${place}`).toBe(false);
    }
  });

  it('is complete after concurrent writes', async () => {
    const folder = join(home, 'cache', 'compiled');
    const runs = await Promise.all(Array.from({ length: 8 }, () => runConcurrently()));
    expect(runs).toEqual(runs.map(() => ({ stderr: '', status: 0 })));
    const [build = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, build)).filter((name) => !name.endsWith('.bin'))).toEqual([]);
    const written = [...cached().values()].map((file) => statSync(file).mtimeMs);
    expect(run()).toMatchObject({ stderr: '', status: 0 });
    // Node rejected none of the files that they wrote.
    expect([...cached().values()].map((file) => statSync(file).mtimeMs)).toEqual(written);
  });

  it('that cannot be stored is not reported', () => {
    writeFileSync(join(home, 'cache'), 'a file where the directory should be');
    expect(run()).toMatchObject({ stderr: '', status: 0 });
  });

  it('does not create a missing home folder', () => {
    expect(run({ HOME: join(home, 'nobody'), UCCTL_CACHE_DIR: '' })).toMatchObject({ stderr: '', status: 0 });
    expect(readdirSync(home)).toEqual([]);
  });

  it('is not used if Node must not cache compiled code', () => {
    expect(run({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ stderr: '', status: 0 });
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('the built program', () => {
  it('loads everything by require(), because import() fails in code from the V8 cache', () => {
    const chunks = readdirSync('dist/cli').filter((name) => name.endsWith('.cjs'));
    expect(chunks.length).toBeGreaterThan(20);
    const imports = chunks.flatMap((name) =>
      parseSync(name, readFileSync(join('dist/cli', name), 'utf8')).module.dynamicImports.map(() => name),
    );
    expect(imports).toEqual([]);
  });
});
