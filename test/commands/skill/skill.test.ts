import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Exit } from '../../../src/errors/command.ts';
import { exitCodes } from '../../../src/cli/topics/exit-codes.ts';
import { registry } from '../../../src/cli/registry.ts';
import { loadAll } from '../../../src/cli/load-nouns.ts';
import { exitAdvice, skillText } from '../../../src/commands/skill/skill-text.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const text = skillText(await loadAll(registry));

describe('ucctl skill', () => {
  it('is short: under 2,000 tokens, counted as 3 characters each', () => {
    expect(text.length / 3).toBeLessThan(2000);
  });

  it('names only nouns, verbs and exit codes that exist', async () => {
    const nouns = await loadAll(registry);
    const paths = new Set(nouns.flatMap(({ commands }) => commands.map(({ path }) => path.join(' '))));
    const named = [...text.replaceAll(/\n */g, ' ').matchAll(/`ucctl ([a-z]+(?: [a-z]+)?)/g)].map(
      ([, words = '']) => words,
    );
    expect(named.length).toBeGreaterThan(10);
    const known = (words: string): boolean => paths.has(words) || paths.has(words.split(' ')[0] ?? '');
    expect(named.filter((words) => !known(words))).toEqual([]);
    // The exit codes of signals are in the topic only.
    const signals = new Set(['129', '130', '143']);
    const documented = exitCodes.map(([code]) => code).filter((code) => !signals.has(code));
    expect(documented).toEqual(Object.keys(exitAdvice));
    expect(documented).toEqual(Object.values(Exit).map(String));
  });

  it('does not list commands that only explain why they do not exist', async () => {
    const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
    const unlisted = commands.filter((command) => command.unlisted).map(({ path }) => path.join(' '));
    expect(unlisted).toEqual(['queue create', 'queue delete']);
    const [line = ''] = /- `queue` [^-]+/.exec(text) ?? [];
    expect(line).toContain('assign');
    expect(line).not.toMatch(/create|delete/);
  });

  it('names every command that sends, rings or deletes', async () => {
    const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
    const final = commands.filter(({ effect }) => effect !== undefined).map(({ path }) => path.join(' '));
    expect(final).toContain('sms send');
    const flat = text.replaceAll(/\n */g, ' ');
    expect(final.filter((path) => !flat.includes(`\`${path}\``))).toEqual([]);
  });

  it('each flag that it names exists', async () => {
    const flags = [...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag);
    const { stdout } = await runUcctl('help flags');
    const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
    const own = new Set(
      commands.flatMap(({ options }) =>
        Object.keys(options).map(
          (key) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        ),
      ),
    );
    expect(flags.filter((flag) => !own.has(flag) && !stdout.includes(flag) && flag !== '--help')).toEqual([]);
  });

  it('is printed as text, and as an object in JSON', async () => {
    expect((await runUcctl('skill')).stdout).toBe(text);
    expect(JSON.parse((await runUcctl('skill -o json')).stdout)).toEqual({ name: 'ucctl', text });
  });
});

describe('ucctl skill install', () => {
  it('writes the file once, and replaces only a file of ucctl', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'skills', 'ucctl', 'SKILL.md');
    const install = async () => {
      const { exit, stdout } = await runUcctl(['skill', 'install', join(folder, 'skills'), '-o', 'json']);
      return [exit, (JSON.parse(stdout) as { action: string }).action];
    };
    expect(await install()).toEqual([0, 'written']);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await install()).toEqual([0, 'unchanged']);
    writeFileSync(file, text.replace('# ucctl', '# older'));
    expect(await install()).toEqual([0, 'written']);
    writeFileSync(file, 'notes of somebody');
    const { exit, stderr } = await runUcctl(['skill', 'install', join(folder, 'skills')]);
    expect([exit, stderr]).toEqual([11, expect.stringContaining('is not a guide that ucctl wrote')]);
    expect(readFileSync(file, 'utf8')).toBe('notes of somebody');
  });

  it('--dry-run writes nothing, and a folder that cannot be written is an error', async () => {
    const folder = temporaryFolder();
    const { stdout } = await runUcctl(['skill', 'install', folder, '--dry-run', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ action: 'not written' });
    mkdirSync(join(folder, 'ucctl', 'SKILL.md'), { recursive: true });
    const { exit, stderr } = await runUcctl(['skill', 'install', folder]);
    expect([exit, stderr]).toEqual([12, expect.stringContaining('choose a folder')]);
  });
});
