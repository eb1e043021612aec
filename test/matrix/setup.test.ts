import { setupCases } from './all-cases.ts';
import { describeMatrix } from './describe-matrix.ts';

for (const [noun, cases] of Object.entries(setupCases)) describeMatrix(noun, cases);
