import { lineOf, sections } from './spec-index.ts';
import { namedTests, placesOf, type NamedTest } from './spec-titles.ts';

/** docs/spec-tests.md: every place of the specification with the tests that name it. */
export function specTestsDocument(root: string): string {
  const tests = namedTests(root);
  const byPlace = new Map<string, NamedTest[]>();
  for (const test of tests) {
    for (const place of placesOf(test.title).known) byPlace.set(place, [...(byPlace.get(place) ?? []), test]);
  }
  const lines = sections.flatMap((section) => {
    const { name, kind, labels } = section;
    return labels.map((label, index) => {
      const place = `${name} ${kind} ${index + 1}`;
      const files = [...new Set((byPlace.get(place) ?? []).map(({ file }) => file))];
      return `| ${place} | ${lineOf(section, index)} | ${label.replaceAll(/\s+/g, ' ')} | ${files.join('<br>') || '**none yet**'} |`;
    });
  });
  return [
    '# The specification and its tests',
    '',
    'Made by `node scripts/run.mjs spec-coverage`; a test compares. Places are counted within their section: rows of a table, numbered',
    'rules, and sentences; Line is that of service-interface.md. A test names them in its title, as in `spec:SMS rule 8`. Where the',
    'specification says "not shown" the facts say what there is: their tests follow below.',
    '',
    '| Place | Line | What it says | Test files under test/ |',
    '|---|---|---|---|',
    ...lines,
    '',
    '## Facts and rulings',
    '',
    'A number such as `facts:L216` is the first column of the table in section 1.1 of the facts; `facts:1.3` is a section of the facts.',
    '',
    '| Test | File |',
    '|---|---|',
    ...tests
      .filter(({ title }) => /^(facts|coverage):/.test(title))
      .map((test) => `| ${textOf(test).replaceAll('|', '\\|')} | ${test.file} |`),
    '',
  ].join('\n');
}

/** A title with the names of its cases in place of `%s`. */
function textOf({ title, cases }: NamedTest): string {
  return cases.length === 0 ? title : title.replace('%s', () => cases.join('; '));
}
