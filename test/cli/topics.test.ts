import { privacy } from '../../src/cli/topics/privacy.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { topics } from '../../src/cli/topics/names.ts';
import { defaultFolders, environment } from '../../src/cli/topics/environment.ts';
import { topicText } from '../../src/cli/topics/topic-text.ts';
import { settingKeys } from '../../src/config/index.ts';
import { resolvePaths } from '../../src/config/resolve.ts';
import { runUcctl } from '../support/run-ucctl.ts';

describe('help topics', () => {
  it.each(Object.keys(topics))('%s has a text that fits', async (name) => {
    for (const terminal of [40, 60, 80, 110]) {
      const { stdout, exit } = await runUcctl(`help ${name}`, { terminal });
      expect(exit).toBe(0);
      const lines = stdout.split('\n');
      expect(lines.filter((line) => line.length > terminal && !line.includes('$ '))).toEqual([]);
    }
  });

  it.each(Object.keys(topics))('%s names only commands that exist', async (name) => {
    const nouns = await loadAll(registry);
    const paths = new Set(nouns.flatMap(({ commands }) => commands.map(({ path }) => path.join(' '))));
    const text = topicText(name, 10_000) ?? '';
    const named = text.matchAll(/(?:\$ |which |by |in |and |; )ucctl ([a-z]+)(?: ([a-z]+))?/g);
    const strange = [...named].filter(
      ([, noun = '', verb]) => noun !== 'help' && !paths.has(noun) && !paths.has(`${noun} ${verb ?? ''}`),
    );
    expect(strange.map(([words]) => words)).toEqual([]);
  });

  it.each(Object.keys(topics))('%s indents every command', (name) => {
    const lines = (topicText(name, 80) ?? '').split('\n');
    expect(lines.filter((line) => line.startsWith('$ '))).toEqual([]);
  });

  it('are those of the conventions', () => {
    expect(Object.keys(topics)).toEqual(
      expect.arrayContaining([
        'environment',
        'exit-codes',
        'formatting',
        'permissions',
        'rate-limits',
        'bulk',
        'sandbox',
        'privacy',
      ]),
    );
  });
});

it.each([
  ['linux', 'Linux', '/home/x', {}],
  ['darwin', 'macOS', '/Users/x', {}],
  ['win32', 'Windows', 'C:\\Users\\x', { APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local' }],
] as const)('environment states the folders of %s', (platform, name, homeDirectory, env) => {
  const text = new Map(defaultFolders).get(name) ?? '';
  const folders = Object.values(resolvePaths({ platform, homeDirectory, env }));
  const shown = folders.map((folder) =>
    folder
      .replace(homeDirectory, '~')
      .replace('C:\\Roaming', '%APPDATA%')
      .replace('C:\\Local', '%LOCALAPPDATA%'),
  );
  const [own, below] = text.split(' with the subfolders ');
  for (const folder of shown) {
    const [, parent = '', last = ''] = /^(.*)[/\\](.*)$/.exec(folder) ?? [];
    expect([text.includes(folder), own?.endsWith(parent) && below?.includes(last)]).toContain(true);
  }
});

it('the topic bulk states the exit code of a dry run that would skip rows', async () => {
  const { stdout } = await runUcctl('help bulk', { terminal: 10_000 });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'a dry run also exits with 8 if rows of its list would be skipped',
  );
});

describe('the topic environment', () => {
  const named = new Set(environment.map(([name]) => name));

  it('lists every variable of the sources', () => {
    const files = readdirSync('src', { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const used = files.flatMap(
      ({ parentPath, name }) =>
        readFileSync(join(parentPath, name), 'utf8').match(/\bUCCTL_[A-Z][A-Z_]*[A-Z]\b/g) ?? [],
    );
    expect(used.length).toBeGreaterThan(30);
    expect([...new Set(used)].filter((name) => !named.has(name))).toEqual([]);
  });

  it('lists the variable of every setting', () => {
    const keys = Object.values(settingKeys);
    const variables = keys.flatMap(({ variable, variables: all }) => all ?? variable);
    // The variables of a proxy can also be in lower case, as in other programs.
    expect(variables.filter((name) => !named.has(name.toUpperCase()))).toEqual([]);
  });

  it('lists no variable that the sources do not use', () => {
    const sources = readdirSync('src', { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.parentPath.endsWith('topics'))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
    const made = new Set<string>(Object.values(settingKeys).map(({ variable }) => variable));
    const unknown = [...named].filter((name) => !sources.includes(name) && !made.has(name));
    expect(unknown).toEqual([]);
  });
});

it('the topic about privacy names the request to the npm registry, and the option that shows secrets', () => {
  const text = privacy.replaceAll('\n', ' ');
  expect(text).toContain('ucctl version --check');
  expect(text).not.toContain('no update check');
  expect(text).toContain('--show-secrets');
});

it.each([
  '--store',
  '--sink',
  '--forward-to',
  '--exec',
  '--to',
  'media-store',
  'media-hosts',
  '--channel-url',
])('the topic about privacy names the place of %s, to which ucctl sends data', (name) => {
  expect(privacy.split('\n').filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
});

it('the root help does not state that ucctl sends data only to the service', async () => {
  const { stdout } = await runUcctl('--help', { terminal: 10_000 });
  expect(stdout).toContain('ucctl sends data only to the service and the places that you configure');
});
