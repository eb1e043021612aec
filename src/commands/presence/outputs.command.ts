import {
  anyOf,
  array,
  flag,
  lines,
  object,
  optional,
  record,
  resource,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const presenceOutputs: Outputs = {
  'presence get': record(anyOf(resource('Presence'), array(resource('Presence', { name: text })))),
  'presence set': record(
    anyOf(
      resource('Presence'),
      array(
        object({
          extensionId: text,
          who: text,
          change: text,
          status: text,
          message: optional(text),
        }),
      ),
    ),
  ),
  'presence watch': lines(
    object({
      extensionId: text,
      extensionNumber: optional(text),
      name: text,
      state: text,
      takesQueueCalls: flag,
      since: time,
      presenceStatus: optional(text),
      telephonyStatus: optional(text),
      userStatus: optional(text),
      meetingStatus: optional(text),
      dndStatus: optional(text),
      message: optional(text),
    }),
  ),
};
