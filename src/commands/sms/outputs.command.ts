import {
  anyOf,
  array,
  list,
  object,
  optional,
  type Outputs,
  record,
  resource,
  text,
} from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const smsOutputs: Outputs = {
  'sms send': record(
    anyOf(resource('Message'), array(object({ to: text, status: text, message: optional(text) }))),
  ),
  'sms list': list(resource('Message')),
  'sms thread': list(resource('Message')),
  'sms numbers': list(resource('PhoneNumber')),
};
