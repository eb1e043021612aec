// Prints where texts, names and comments break the rules of language in CONTRIBUTING.md. Exits with 1 if it finds any.
// Usage: node scripts/run.mjs style [FILE or FOLDER]
import { checkStyle, shownFinding } from './style/check.ts';

const only = process.argv[2]?.replace(/^\.\//, '').replace(/\/$/, '');
const { findings, warnings } = await checkStyle(only);
for (const one of warnings) console.log(`warning: ${shownFinding(one)}`);
for (const one of findings) console.log(shownFinding(one));
console.log(`${findings.length} findings, ${warnings.length} warnings`);
if (findings.length > 0) process.exitCode = 1;
