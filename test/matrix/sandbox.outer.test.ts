import { sandboxCases } from './all-cases.ts';
import { describeMatrix } from './describe-matrix.ts';

for (const [noun, cases] of Object.entries(sandboxCases)) describeMatrix(noun, cases);
