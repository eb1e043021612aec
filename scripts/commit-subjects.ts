// Checks the subjects of the commits: imperative mood, at most 72 characters, no period. Exits with 1 when one breaks a rule.
// Usage: node scripts/run.mjs commit-subjects
import { readFileSync } from 'node:fs';
import { checkSubjects, type SubjectRules } from './commit-subjects/history.ts';

const rules = JSON.parse(readFileSync('scripts/commit-subjects/rules.json', 'utf8')) as SubjectRules;
const report = checkSubjects('.', rules);
if ('skipped' in report) console.log(`Commit subjects: skipped, ${report.skipped}`);
else {
  for (const problem of report.problems) console.log(problem);
  console.log(`Commit subjects: ${report.checked} checked, ${report.problems.length} problems`);
  if (report.problems.length > 0) process.exitCode = 1;
}
