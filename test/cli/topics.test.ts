import { privacy } from '../../src/cli/topics/privacy.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { flagOf } from '../../src/cli/flags.ts';
import { globalGroups } from '../../src/cli/global-options.ts';
import { registry } from '../../src/cli/registry.ts';
import { topics } from '../../src/cli/topics/names.ts';
import { defaultFolders, environment } from '../../src/cli/topics/environment.ts';
import { topicText } from '../../src/cli/topics/topic-text.ts';
import { settingKeys } from '../../src/config/index.ts';
import { resolvePaths } from '../../src/config/resolve.ts';
import type { OptionSpec } from '../../src/runtime/command-description.ts';
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
  '--proxy',
  '--tunnel-command',
  '--uri',
  'webhook trigger',
  'webhook check',
  'webhook post',
  'doctor --public-url',
  'AWS_ENDPOINT_URL',
])('the topic about privacy names the place of %s, to which ucctl sends data', (name) => {
  expect(privacyPlaces().filter((place) => `${place} `.startsWith(`${name} `))).toHaveLength(1);
});

/** The places in the list of the topic about privacy, such as `--to URL`. */
function privacyPlaces(): readonly string[] {
  return privacy.split('\n').flatMap((line) => /^(\S+(?: \S+)*) {2,}/.exec(line)?.[1] ?? []);
}

/** Options with an address or a program to which ucctl sends no data itself. */
const noPlaces: Readonly<Record<string, string>> = {
  '--base-url': 'the service',
  '--redirect-uri': 'the browser opens it after a sign-in',
  '--address': 'the service sends events to it',
  '--host': 'an address of this machine',
  '--metrics-host': 'an address of this machine',
  '--public-url': 'the service sends events to it',
  '--icon': 'part of a post',
  '--author-link': 'part of a post',
  '--author-icon': 'part of a post',
  '--title-link': 'part of a post',
  '--image-url': 'part of a post',
  '--footer-icon': 'part of a post',
  'sandbox exec COMMAND': 'the command that the user runs',
  'schema COMMAND': 'a name',
};

it('the topic about privacy names each option with an address or a program', async () => {
  const specs = (await loadAll(registry)).flatMap(({ commands }) => commands);
  const options = specs.flatMap(({ path, options: own }) =>
    Object.entries<OptionSpec>(own).map(([key, option]) => ({ path: path.join(' '), key, option })),
  );
  const globals = Object.values(globalGroups)
    .flatMap(Object.entries<OptionSpec>)
    .map(([key, option]) => ({ path: '', key, option }));
  const missing = [...options, ...globals].flatMap(({ path, key, option }) => {
    const value = 'value' in option ? (option.value ?? '') : '';
    if (!/\b(?:URL|COMMAND|STORE|ADDRESS)\b/.test(value)) return [];
    const name = option.positional ? `${path} ${value}` : flagOf(key);
    const isNamed = privacyPlaces().some((place) => `${place} `.startsWith(`${name} `));
    return isNamed || name in noPlaces ? [] : [`${path} ${name}`];
  });
  expect(missing).toEqual([]);
});

it('the root help does not state that ucctl sends data only to the service', async () => {
  const { stdout } = await runUcctl('--help', { terminal: 10_000 });
  expect(stdout).toContain('ucctl sends data only to the service and the places that you configure');
});
