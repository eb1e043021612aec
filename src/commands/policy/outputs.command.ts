import { flag, object, oneOf, optional, record, text, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const policyOutputs: Outputs = {
  'policy test': record(
    object({ number: text, kind: oneOf('sms', 'fax', 'ringout'), allowed: flag, reason: optional(text) }),
  ),
};
