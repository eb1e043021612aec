import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';
import { packedTarball } from '../support/tarball.ts';
import { tmpdir } from 'node:os';

const root = resolve('.');
const modules = join(root, 'node_modules');
let consumer = '';
let tarball = '';

/** Packs what is built, and lays it out as an install would. */
beforeAll(() => {
  consumer = mkdtempSync(join(tmpdir(), 'ucctl-consumer-'));
  tarball = packedTarball().file;
  mkdirSync(join(consumer, 'node_modules/ucctl'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(consumer, 'node_modules/ucctl')]);
  // Without the optional package with SQLite, which the types must not need.
  for (const name of ['zod', '@types', '@napi-rs', 'undici-types']) {
    symlinkSync(join(modules, name), join(consumer, 'node_modules', name));
  }
  writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2023',
        lib: ['es2023', 'esnext.disposable'],
        module: 'nodenext',
        types: ['node'],
        skipLibCheck: false,
        noEmit: true,
        // A library that exports functions of the client needs the names of all types.
        declaration: true,
        allowImportingTsExtensions: true,
        checkJs: true,
      },
      include: ['*.ts', 'queue-agents.mjs'],
    }),
  );
  return () => execFileSync('rm', ['-rf', consumer]);
});

/** Sources that must not compile, by what is wrong with them. */
const wrong: Readonly<Record<string, string>> = {
  'a wrong field of a request': `client.messages.sendSms({ from: { phoneNumber: '+1' }, to: [{ phoneNumber: '+1' }], txt: 'x' });`,
  'a wrong field of a reply': `client.presence.get('~').then((presence) => presence.dndState);`,
  'a wrong option': `createClient({ baseUrl: 'https://x', token: 'x', retry: 1 });`,
};
const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.ts`;

/** The types of requests and replies that the declarations of the client's methods name. */
function contractTypes(): readonly string[] {
  const folder = join(consumer, 'node_modules/ucctl/dist/lib/types/client/resources');
  const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const imports = sources.flatMap((source) =>
    [...source.matchAll(/import type \{ ([^}]+) \} from '\.\.\/\.\.\/contract\//g)].map(
      ([, names]) => names ?? '',
    ),
  );
  return [...new Set(imports.flatMap((names) => names.split(', ')))];
}

/** What the compiler says of the example and of the wrong sources, in one run. */
let diagnostics = '';
beforeAll(() => {
  copyFileSync('examples/queue-agents.mjs', join(consumer, 'queue-agents.mjs'));
  writeFileSync(
    join(consumer, 'sandbox.ts'),
    `import { startSandbox } from 'ucctl/sandbox';\nexport const url = async (): Promise<string> => (await startSandbox()).url;\n`,
  );
  writeFileSync(
    join(consumer, 'named.ts'),
    `import type { ${contractTypes().join(', ')} } from 'ucctl';
import type { Client } from 'ucctl';
export { ControlError } from 'ucctl/sandbox';
export type Named = [${contractTypes().join(', ')}];
export const transport = (client: Client) => client.transport;
export const text = (client: Client) => client.transport.sendForText({ method: 'GET', path: '/' });
`,
  );
  for (const [what, line] of Object.entries(wrong)) {
    const source = `import { createClient } from 'ucctl';\nconst client = createClient({ baseUrl: 'https://x', token: 'x' });\n${line}\nexport {};\n`;
    writeFileSync(join(consumer, fileOf(what)), source);
  }
  const compiler = join(modules, 'typescript/bin/tsc');
  diagnostics = spawnSync('node', [compiler, '-p', '.', '--pretty', 'false', '--checkers', '1'], {
    cwd: consumer,
    encoding: 'utf8',
  }).stdout;
});

describe('the packed library', () => {
  it('compiles with the example, with every declaration checked', () => {
    // Each error is one line that begins with its file; the wrong sources have theirs.
    const others = diagnostics
      .split('\n')
      .filter(
        (line) => /^\S/.test(line) && !Object.keys(wrong).some((what) => line.startsWith(fileOf(what))),
      );
    expect(others).toEqual([]);
  });

  it.each(Object.keys(wrong))('rejects %s', (what) => {
    expect(diagnostics).toMatch(new RegExp(`^${fileOf(what)}\\(3,\\d+\\): error TS`, 'm'));
  });

  it('names the types of requests and replies', () => {
    expect(contractTypes()).toEqual(expect.arrayContaining(['Message', 'Subscription', 'Id']));
  });

  it('runs the packed example with the command in its first lines', async () => {
    const sandbox = await startSandbox();
    try {
      const file = join(consumer, 'node_modules/ucctl/examples/queue-agents.mjs');
      const [, command = ''] = /^\/\/ node (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
      const token = await signInAs(sandbox, 'administrator');
      const env = { ...process.env, UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token };
      const { stdout } = await promisify(execFile)('node', command.split(' '), { cwd: consumer, env });
      expect(stdout).toMatch(/^Support: 102, 103, 104$/m);
    } finally {
      await sandbox.close();
    }
  });

  it('runs the test with the sandbox of docs/library.md', () => {
    const markdown = readFileSync('docs/library.md', 'utf8');
    const [, source = ''] = /`sandbox\.test\.mjs`:\n\n```js\n([^]*?)```/.exec(markdown) ?? [];
    writeFileSync(join(consumer, 'sandbox.test.mjs'), source);
    // Node 20 has no SQLite of its own.
    symlinkSync(join(modules, '@photostructure'), join(consumer, 'node_modules/@photostructure'));
    const { status, stdout } = spawnSync('node', ['--test', 'sandbox.test.mjs'], {
      cwd: consumer,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('pass 1')]);
  });

  // Node prints the whole line of the code that threw.
  it('prints an uncaught error without its minified code', () => {
    const program = `import { createClient } from 'ucctl';
await createClient({ baseUrl: 'http://127.0.0.1:1', token: 'x', retries: 0 }).extensions.get('~');`;
    writeFileSync(join(consumer, 'uncaught.mjs'), program);
    const { status, stderr } = spawnSync('node', ['uncaught.mjs'], { cwd: consumer, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('ConnectionError: no reply from')]);
    expect(stderr.split('\n').filter((line) => line.length > 500)).toEqual([]);
  });

  it('exposes no types of the HTTP stack', () => {
    const types = join(consumer, 'node_modules/ucctl/dist/lib/types');
    const found = spawnSync('grep', ['-rlE', String.raw`(from|import\()\s*.undici`, types], {
      encoding: 'utf8',
    });
    expect(found.stdout).toBe('');
  });

  it('passes publint and attw', () => {
    const publint = spawnSync('node', [join(modules, 'publint/src/cli.js'), tarball, '--strict'], {
      encoding: 'utf8',
    });
    expect([publint.status, publint.stdout + publint.stderr]).toMatchObject([0, expect.anything()]);
    const attw = spawnSync(
      'node',
      [join(modules, '@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only'],
      { encoding: 'utf8' },
    );
    expect([attw.status, attw.stdout]).toMatchObject([0, expect.anything()]);
  });
});
