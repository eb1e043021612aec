import { describe } from 'vitest';
import { postgresMissing } from '../support/postgres.ts';
import { postgresCases } from './all-cases.ts';
import { describeMatrix } from './describe-matrix.ts';

describe.skipIf(postgresMissing())('with PostgreSQL', () => {
  for (const [noun, cases] of Object.entries(postgresCases)) describeMatrix(noun, cases);
});
