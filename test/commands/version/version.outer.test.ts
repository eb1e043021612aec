import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** The version of the program in tests. */
const version = '0.0.0-test';

/** A PATH with a program `npm` that prints a text and exits with a code. */
function pathWithNpm(output: string, exit = 0): string {
  const folder = temporaryFolder();
  const file = join(folder, 'npm');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$*" = "view ucctl version --json" ] || exit 99\n[ -z "$UCCTL_CLIENT_SECRET" ] || exit 98\ncat <<'END'\n${output}\nEND\nexit ${exit}\n`,
  );
  chmodSync(file, 0o755);
  return `${folder}:${process.env['PATH'] ?? ''}`;
}

const npmError = (code: string, summary: string): string => JSON.stringify({ error: { code, summary } });

describe('version', () => {
  it('prints the plain version, and an object in the structured formats', async () => {
    expect(await runUcctl('version')).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: '' });
    const { stdout } = await runUcctl('version -o json');
    expect(JSON.parse(stdout)).toEqual({
      version,
      installation: 'package',
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    });
  });

  test.each([
    ['99.0.0', false, /^Version 99\.0\.0 is available\..*npm install --global ucctl/],
    ['0.0.0', true, /^This is the latest version\./],
  ])('--check compares it with version %s of the registry', async (latest, isLatest, note) => {
    const env = { PATH: pathWithNpm(JSON.stringify(latest)), UCCTL_CLIENT_SECRET: 'secret-of-the-app' };
    const plain = await runUcctl('version --check', { env });
    expect(plain).toMatchObject({ exit: 0, stdout: `${version}\n` });
    expect(plain.stderr.replaceAll(/\s+/g, ' ')).toMatch(note);
    const { stdout } = await runUcctl('version --check -o json', { env });
    expect(JSON.parse(stdout)).toMatchObject({ version, latest, isLatest });
  });

  test.each([
    ['a package that is not published', npmError('E404', 'Not Found'), 3, 'not_published'],
    ['a registry that does not answer', npmError('ENOTFOUND', 'getaddrinfo'), 7, 'registry_unreachable'],
    ['a reply without a version', '"<html>"', 7, 'registry_unreachable'],
    ['no reply', '', 7, 'registry_unreachable'],
  ])('--check with %s is an error with the next step', async (_title, output, exit, code) => {
    const result = await runUcctl('version --check -o json', { env: { PATH: pathWithNpm(output, 1) } });
    expect(result).toMatchObject({ exit, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code, hint: expect.any(String) as string } });
  });

  it('--check without npm is an error with the next step', async () => {
    const result = await runUcctl('version --check', { env: { PATH: temporaryFolder() } });
    expect(result).toMatchObject({ exit: 12, stdout: '' });
    expect(result.stderr).toContain('npm is not installed');
  });
});
