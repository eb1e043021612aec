import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allComments,
  brokenLinks,
  commentsOf,
  documentLines,
  missingPaths,
  outsideCitations,
  unknownRules,
} from '../support/citations.ts';
import { idsOfTitle, rules, untestedRules } from '../support/spec-index.ts';
import { namedTests } from '../support/spec-titles.ts';

const comments = allComments();
const documents = documentLines();

describe('the rules of docs/spec', () => {
  const cited = new Set(namedTests('test').flatMap(({ title }) => idsOfTitle(title)));
  const untested = untestedRules();
  const ids = rules.map(({ id }) => id);

  it('have numbers that occur once and ascend within a page', () => {
    const numbers = new Map<string, number[]>();
    for (const id of ids) {
      const prefix = id.replace(/-\d+$/, '');
      numbers.set(prefix, [...(numbers.get(prefix) ?? []), Number(id.slice(prefix.length + 1))]);
    }
    for (const [prefix, list] of numbers) {
      expect([prefix, ...list.toSorted((a, b) => a - b)]).toEqual([prefix, ...new Set(list)]);
    }
    const pages = new Map(rules.map(({ id, page }) => [id.replace(/-\d+$/, ''), page]));
    expect(rules.filter(({ id, page }) => pages.get(id.replace(/-\d+$/, '')) !== page)).toEqual([]);
  });

  it('have a test or a reason in docs/spec/untested.md', () => {
    expect(ids.filter((id) => !cited.has(id) && !untested.has(id))).toEqual([]);
  });

  it('are listed as untested only while no test cites them', () => {
    expect([...untested.keys()].filter((id) => cited.has(id) || !ids.includes(id))).toEqual([]);
  });

  it('are the only rules that test titles cite', () => {
    expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('are cited in one way only, with the prefix spec:', () => {
    const other = /['"`](?:(?:facts|coverage|ruling)[: ]|[Pp]art \d[\d.]*:)|\bspec:(?:[A-Z]\w* |L\d)/;
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.test.ts') && !file.endsWith('spec-citations.test.ts'),
    );
    expect(files.filter((file) => other.test(readFileSync(join('test', file), 'utf8')))).toEqual([]);
  });
});

describe('comments and documents', () => {
  const all = [...comments, ...documents];

  it('cite rules that exist', () => {
    expect(unknownRules(all)).toEqual([]);
  });

  it('cite no document outside the repository', () => {
    expect(outsideCitations(all)).toEqual([]);
  });

  it('name paths that exist', () => {
    expect(missingPaths(all)).toEqual([]);
  });

  it('link to files that exist', () => {
    expect(brokenLinks(documents)).toEqual([]);
  });
});

describe('the test of citations', () => {
  const line = (text: string) => [{ file: 'docs/x.md', line: 1, text }];

  it.each(['SMS-999', 'SMS-9 to SMS-998', 'see FAX-0.'])('finds the unknown rule in %j', (text) => {
    expect(unknownRules(line(text)).length).toBeGreaterThan(0);
  });

  it('accepts codes and known rules', () => {
    expect(unknownRules(line('SMS-8, SMS-RC-413, MSG-333, UTF-16'))).toEqual([]);
  });

  it.each(['(facts 1.1, L363)', '(specification, Limits)', 'Specification, Limits', 'ruling 4', 'house.md'])(
    'finds %j',
    (text) => {
      expect(outsideCitations(line(text))).toHaveLength(1);
    },
  );

  it('finds a path and a link without a file', () => {
    expect(missingPaths(line('see src/no/such.ts and docs/spec/sms.md'))).toEqual([
      'docs/x.md:1 src/no/such.ts',
    ]);
    expect(brokenLinks(line('[a](spec/sms.md#sms-8) [b](spec/sms.md#sms-999) [c](none.md)'))).toEqual([
      'docs/x.md:1 spec/sms.md#sms-999',
      'docs/x.md:1 none.md',
    ]);
  });

  it('reads comments only', () => {
    const code = ["const url = 'http://x'; // why", '/**', ' * doc', ' */', "const text = '// no';"].join(
      '\n',
    );
    expect(commentsOf('a.ts', code).map(({ line: at }) => at)).toEqual([1, 2, 3, 4]);
  });
});
