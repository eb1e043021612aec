import { record, resource, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const pagerOutputs: Outputs = {
  'pager send': record(resource('Message')),
  'pager reply': record(resource('Message')),
};
