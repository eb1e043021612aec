import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { madeDocuments, madeFolders } from '../../scripts/documents/all.ts';
import { manualPages } from '../../scripts/documents/manual.ts';
import { version } from '../../package.json';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { unlessRequired } from '../support/required.ts';

const made = await madeDocuments();
const pages = [...manualPages(await loadAll(registry), version)];

describe('the generated documents', () => {
  it.each([...made.keys()])('%s is up to date: node scripts/run.mjs documents', (file) => {
    expect(readFileSync(file, 'utf8')).toBe(made.get(file));
  });

  it('contain nothing of deleted commands', () => {
    const there = madeFolders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
    expect(there.filter((file) => !made.has(file))).toEqual([]);
  });

  it('have every command, every flag and every example', async () => {
    const text = [...made.values(), ...pages.map(([, page]) => page)].join('\n');
    for (const { commands } of await loadAll(registry)) {
      for (const { path, examples } of commands) {
        expect(text).toContain(`## ${path.join(' ')}\n`);
        for (const { command } of examples) expect(text).toContain(command);
      }
    }
  });
});

describe('the manual', () => {
  it.each(pages)('%s contains only requests that man knows', (_, text) => {
    const requests = new Set(text.match(/^\.[A-Z]+|^\.\S+/gm));
    expect([...requests].filter((one) => !known.has(one))).toEqual([]);
    expect(text).toMatch(/^\.\\".*\n\.TH "UCCTL/);
    expect(text.match(/^'.*/gm)).toBeNull();
  });

  it('separates the paragraphs of a description', () => {
    const page = new Map(pages).get('ucctl-sandbox.1') ?? '';
    expect(page).toMatch(/clock and faults\.\n\.PP\n`\\-\\-dialect current`/);
  });

  const known = new Set(['.TH', '.SH', '.SS', '.TP', '.PP', '.B', '.BR', '.nf', '.fi', '.\\"']);
  const missing = unlessRequired(
    'groff',
    spawnSync('groff', ['--version']).status === 0 ? undefined : 'no groff',
  );
  it.skipIf(missing)('is formatted without a warning', () => {
    for (const [file, text] of pages) {
      const { stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-rLL=100n'], { input: text });
      expect([file, stderr.toString()]).toEqual([file, '']);
      expect(stdout.toString()).toContain('General Commands Manual');
    }
  });
});
