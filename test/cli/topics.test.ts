import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locate } from '../../src/cli/locate.ts';
import { registry } from '../../src/cli/registry.ts';
import { topics } from '../../src/cli/topics/names.ts';
import { environment } from '../../src/cli/topics/environment.ts';
import { topicText } from '../../src/cli/topics/topic-text.ts';
import { settingKeys } from '../../src/config/index.ts';
import { runUcctl } from '../support/run-ucctl.ts';

describe('help topics', () => {
  it.each(Object.keys(topics))(
    '%s has a text that fits, and says nothing untrue of commands',
    async (name) => {
      for (const terminal of [60, 80, 110]) {
        const { stdout, exit } = await runUcctl(`help ${name}`, { terminal });
        expect(exit).toBe(0);
        const lines = stdout.split('\n');
        expect(lines.filter((line) => line.length > terminal && !line.includes('$ '))).toEqual([]);
      }
      // A command that a topic names is there.
      const text = (topicText(name, 10_000) ?? '').replaceAll('npx ucctl', 'ucctl');
      for (const [, words = ''] of text.matchAll(
        /(?:\$ |which |by |in |and |; )ucctl ((?:[a-z]+ ?){1,2})/g,
      )) {
        const path = words.trim().split(' ');
        const found = await locate([path[0] ?? '', '--help'], registry).catch(() => undefined);
        if (found?.kind === 'noun-help' && path[1] !== undefined) {
          const verbs = found.noun.commands.map((spec) => spec.path[1]);
          expect({ name, verbs }).toEqual({ name, verbs: expect.arrayContaining([path[1]]) });
        }
      }
    },
  );

  it('are the ones that the conventions name', () => {
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

describe('the topic environment', () => {
  const named = new Set(environment.map(([name]) => name));

  it('has every variable that the sources name', () => {
    const files = readdirSync('src', { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const used = files.flatMap(
      ({ parentPath, name }) =>
        readFileSync(join(parentPath, name), 'utf8').match(/\bUCCTL_[A-Z][A-Z_]*[A-Z]\b/g) ?? [],
    );
    expect(used.length).toBeGreaterThan(30);
    expect([...new Set(used)].filter((name) => !named.has(name))).toEqual([]);
  });

  it('has the variable of every setting', () => {
    const variables = Object.values(settingKeys).flatMap(({ variable, elderVariable }) => [
      variable,
      ...(elderVariable ? [elderVariable] : []),
    ]);
    // HTTPS_PROXY has an own spelling in lower case, as everywhere.
    expect(variables.filter((name) => !named.has(name.toUpperCase()))).toEqual([]);
  });

  it('names nothing that the sources do not know', () => {
    const sources = readdirSync('src', { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.parentPath.endsWith('topics'))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
    const made = Object.values(settingKeys).map(({ variable }) => variable);
    const unknown = [...named].filter((name) => !sources.includes(name) && !made.includes(name));
    expect(unknown).toEqual([]);
  });
});
