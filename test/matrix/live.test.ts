import { liveCases } from './all-cases.ts';
import { describeMatrix } from './describe-matrix.ts';

for (const [noun, cases] of Object.entries(liveCases)) describeMatrix(noun, cases);
