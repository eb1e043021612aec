import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCommand } from '../../../src/commands/sandbox/own-command.ts';
import { readyText } from '../../../src/commands/sandbox/ready-text.ts';
import type { ReadyFile } from '../../../src/sandbox/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A machine with the program in a checkout, and what else a test puts there. */
function machine() {
  const root = temporaryFolder();
  const at = (name: string): string => join(root, name);
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
    chmodSync(at(name), 0o755);
    return at(name);
  };
  const link = (name: string, to: string): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    symlinkSync(at(to), at(name));
    return at(name);
  };
  write('checkout/package.json', '{"name":"ucctl","bin":{"ucctl":"bin/ucctl.cjs"}}');
  const program = write('checkout/bin/ucctl.cjs', '');
  write('elsewhere/package.json', '{"name":"other"}');
  return { at, write, link, program };
}

describe('the command that starts this program in another terminal', () => {
  test('is its name if the PATH finds it', () => {
    const { at, link } = machine();
    const program = link('usr/bin/ucctl', 'checkout/bin/ucctl.cjs');
    const path = [at('none'), at('usr/bin')].join(':');
    expect(ownCommand({ program, path, cwd: at('elsewhere') })).toBe('ucctl');
  });

  test('is npx in its project, because other terminals lack the PATH of npx', () => {
    const { at, link } = machine();
    const program = link('project/node_modules/.bin/ucctl', 'checkout/bin/ucctl.cjs');
    mkdirSync(at('project/sub'));
    for (const cwd of [at('project'), at('project/sub')])
      expect(ownCommand({ program, path: at('project/node_modules/.bin'), cwd })).toBe('npx ucctl');
  });

  test('is npx in a checkout, however it was started', () => {
    const { at, link, program } = machine();
    const cached = link('npx/node_modules/.bin/ucctl', 'checkout/bin/ucctl.cjs');
    const path = at('npx/node_modules/.bin');
    for (const one of [program, cached])
      expect(ownCommand({ program: one, path, cwd: at('checkout/bin') })).toBe('npx ucctl');
  });

  test('is its file elsewhere, also if another program has the name', () => {
    const { at, write, program } = machine();
    write('usr/bin/ucctl', 'another');
    for (const path of [undefined, at('usr/bin')])
      expect(ownCommand({ program, path, cwd: at('elsewhere') })).toBe(`node ${program}`);
    const odd = write("it's here/ucctl.cjs", '');
    expect(ownCommand({ program: odd, path: '', cwd: at('elsewhere') })).toBe(
      `node '${odd.replace("'", String.raw`'\''`)}'`,
    );
  });

  test('is its name if the file is unknown or missing', () => {
    const { at } = machine();
    for (const program of [undefined, at('gone')])
      expect(ownCommand({ program, path: '', cwd: at('elsewhere') })).toBe('ucctl');
  });

  test('begins every next step', () => {
    const ready = {
      url: '',
      users: [{ name: 'A', extension: '100', username: 'a@b', password: 'p', role: 'administrator' }],
      queues: [],
    };
    const text = readyText(ready as unknown as ReadyFile, 'npx ucctl');
    expect(text.match(/^ .*ucctl.*$/gm)).toEqual([
      '  eval "$(npx ucctl sandbox env)"',
      '  npx ucctl sandbox assertion 100 |',
      '    npx ucctl login --flow jwt --assertion-stdin --store file',
      '  npx ucctl queue list',
    ]);
    expect(text).toContain('In another terminal, in this folder:\n');
    expect(readyText(ready as unknown as ReadyFile, 'ucctl')).toContain('In another terminal:\n');
  });
});
