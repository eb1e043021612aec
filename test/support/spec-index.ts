import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A numbered rule of the interface, as a page of docs/spec states it. */
export interface Rule {
  /** `SMS-8`: the prefix of its page and its number. */
  readonly id: string;
  /** Name of its page without the extension. */
  readonly page: string;
  readonly text: string;
}

/** Folder of the pages, below the root of the repository. */
const specFolder = 'docs/spec';
const ruleLine = /^(?:- |\| )<a id="([a-z]+-\d+)"><\/a>(?:\*\*)?([A-Z]+-\d+)(?:\*\*)?(?: \|)? (.+?)(?: \|)?$/;

function rulesOfPage(file: string): readonly Rule[] {
  const page = basename(file, '.md');
  return readFileSync(join(specFolder, file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, anchor, id, text] = ruleLine.exec(line) ?? [];
      if (id === undefined || text === undefined) return [];
      if (anchor !== id.toLowerCase()) throw new Error(`${file}: anchor ${anchor} of rule ${id}`);
      return [{ id, page, text }];
    });
}

/** Every rule of docs/spec, in the order of the pages and of the lines. */
export const rules: readonly Rule[] = readdirSync(specFolder)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .flatMap(rulesOfPage);

/** Prefixes of the rules of a page: `SMS`. */
export const prefixes: readonly string[] = [...new Set(rules.map(({ id }) => id.replace(/-\d+$/, '')))];

const citation = '[A-Z]+-\\d+(?: to [A-Z]+-\\d+)?';
const citationList = new RegExp(`\\bspec:((?:${citation})(?:, ${citation})*)`, 'g');

/** The IDs in a list such as `SMS-1, SMS-4 to SMS-6`; a range that crosses pages yields its two ends. */
export function idsOfList(list: string): readonly string[] {
  return list.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split(' to ');
    const prefix = first.replace(/\d+$/, '');
    if (!last.startsWith(prefix)) return [first, last];
    const from = Number(first.slice(prefix.length));
    const to = Number(last.slice(prefix.length));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `${prefix}${from + index}`);
  });
}

/** The rules that a test title cites after `spec:`. */
export function idsOfTitle(title: string): readonly string[] {
  return [...title.matchAll(citationList)].flatMap(([, list = '']) => idsOfList(list));
}

/** Rules without a test, with the reason: the table of docs/spec/untested.md. */
export function untestedRules(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(specFolder, 'untested.md'), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, list, reason] =
        new RegExp(`^\\| (${citation}(?:, ${citation})*) \\| (.+) \\|$`).exec(line) ?? [];
      return list === undefined || reason === undefined
        ? []
        : idsOfList(list).map((id) => [id, reason] as const);
    }),
  );
}
