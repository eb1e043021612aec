import { anything, record, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const apiOutputs: Outputs = {
  // Whatever the service answers.
  api: record(anything),
};
