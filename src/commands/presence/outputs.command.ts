import {
  anyOf,
  array,
  boardRow,
  lines,
  object,
  optional,
  record,
  resource,
  text,
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
  'presence watch': lines(boardRow),
};
