import { list, object, optional, record, resource, text, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const faxOutputs: Outputs = {
  'fax send': record(resource('Message')),
  'fax list': list(resource('Message')),
  'fax status': record(resource('Message')),
  'fax resend': record(resource('Message')),
  'fax cancel': record(object({ id: text, result: text, reason: optional(text) })),
};
