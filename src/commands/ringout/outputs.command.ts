import { id, list, object, record, resource, text, time, type Outputs } from '../../runtime/output-schema.ts';

const state = object({
  id,
  callStatus: text,
  callerStatus: text,
  calleeStatus: text,
  explanation: text,
  time,
  uri: text,
});

/** What these commands write as JSON. */
export const ringoutOutputs: Outputs = {
  'ringout start': record(state),
  'ringout status': record(state),
  'ringout cancel': record(state),
  'ringout numbers': list(resource('ForwardingNumber')),
};
