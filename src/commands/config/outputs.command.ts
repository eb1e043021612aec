import {
  anyOf,
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

const setting = object({
  key: text,
  value: optional(anyOf(text, number, flag)),
  origin: oneOf('flag', 'environment', 'profile', 'default'),
  source: text,
  usual: optional(text),
});

/** What these commands write as JSON. */
export const configOutputs: Outputs = {
  'config list': list(setting),
  'config get': record(setting),
  'config set': record(setting),
  'config unset': record(object({ key: text, profile: text, removed: flag })),
  'config path': record(object({ file: text })),
};
