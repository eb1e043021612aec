import {
  anyOf,
  anything,
  array,
  boardRow,
  lines,
  mapOf,
  nullable,
  object,
  optional,
  record,
  resource,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

/** By field. */
const changes = mapOf(object({ from: anything, to: anything }));

/** What these commands write as JSON. */
export const presenceOutputs: Outputs = {
  'presence get': record(anyOf(resource('Presence'), array(resource('Presence', { name: text })))),
  'presence set': record(
    anyOf(
      resource('Presence', { changes }),
      array(
        object({
          extensionId: nullable(text),
          who: text,
          changes,
          status: text,
          message: optional(text),
        }),
      ),
    ),
  ),
  'presence watch': lines(boardRow),
};
