import { list, resource, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const voicemailOutputs: Outputs = {
  'voicemail list': list(resource('Message')),
};
