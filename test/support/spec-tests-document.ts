import { idsOfTitle, rules, untestedRules } from './spec-index.ts';
import { namedTests } from './spec-titles.ts';

/** docs/internals/spec-tests.md: every rule of docs/spec with the test files that cite it. */
export function specTestsDocument(root: string): string {
  const files = new Map<string, Set<string>>();
  for (const { title, file } of namedTests(root)) {
    for (const id of idsOfTitle(title)) files.set(id, (files.get(id) ?? new Set()).add(`${root}/${file}`));
  }
  const untested = untestedRules();
  const lines = rules.map(({ id, page }) => {
    const tests = [...(files.get(id) ?? [])].join('<br>');
    return `| [${id}](../spec/${page}.md#${id.toLowerCase()}) | ${tests || `none: ${untested.get(id) ?? 'missing'}`} |`;
  });
  return [
    '# Rules and their tests',
    '',
    'Made by `node scripts/run.mjs spec-coverage`; a test compares. A test cites the rules of [spec](../spec/README.md) in its title, as in',
    '`spec:SMS-8`. Rules without a test have a reason here and in [untested.md](../spec/untested.md).',
    '',
    '| Rule | Test files |',
    '|---|---|',
    ...lines,
    '',
  ].join('\n');
}
