import { flag, list, object, optional, record, text, type Outputs } from '../../runtime/output-schema.ts';

const profile = object({
  name: text,
  current: flag,
  baseUrl: optional(text),
  clientId: optional(text),
  store: optional(text),
});

/** What these commands write as JSON. */
export const profileOutputs: Outputs = {
  'profile list': list(profile),
  'profile use': record(profile),
  'profile show': record(profile),
  'profile add': record(profile),
  'profile rm': record(object({ name: text, removed: flag })),
};
