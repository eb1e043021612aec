import { defineCommand } from '../../runtime/define.ts';
import { anything, record } from '../../runtime/output-schema.ts';
import type { ApiOptions } from './api.ts';

export const apiCommand = defineCommand<ApiOptions>({
  path: ['api'],
  summary: 'Send a request to the service',
  description:
    'Sends a request as the signed-in user and prints the JSON reply. PATH is absolute, or relative to /restapi/v1.0/. ' +
    'Requests that send messages or place calls ask for confirmation first.',
  details:
    '{accountId} and {extensionId} in PATH are replaced by ~, which means the account and extension of the session.\n\n' +
    'The default method is GET, or POST with fields or --input. The fields of a GET become query parameters.\n\n' +
    'A change counts as made only if its reply is that of the operation. For other paths, the reply must be empty with status 204, ' +
    'or a JSON object with id, uri, records or a field of the request. Any other reply is printed, and the outcome is unknown.\n\n' +
    'The formats table, csv and tsv show the records of a list page as rows.',
  options: {
    request: {
      type: 'list',
      positional: true,
      commas: false,
      value: '[METHOD] PATH',
      summary: 'Method (default GET) and path',
    },
    method: {
      type: 'string',
      short: 'X',
      value: 'METHOD',
      choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      summary: 'HTTP method, unless the method is given before PATH',
    },
    rawField: {
      type: 'list',
      short: 'f',
      commas: false,
      value: 'KEY=VALUE',
      summary:
        'Text field; from[phoneNumber]=N and to[][phoneNumber]=N set nested fields; KEY[] sets an empty list',
    },
    field: {
      type: 'list',
      short: 'F',
      commas: false,
      value: 'KEY=VALUE',
      summary: 'Typed field: true, false, null, a number or a string; @FILE reads the value from a file',
    },
    header: { type: 'list', short: 'H', commas: false, value: 'NAME:VALUE', summary: 'Request header' },
    input: { type: 'string', value: 'FILE', summary: 'File to send as the body; - for standard input' },
    paginate: {
      type: 'boolean',
      summary: 'Fetch all pages of a list as one array; perPage in the query sets the page size',
    },
    include: { type: 'boolean', short: 'i', summary: 'Print the status and headers of the reply first' },
    wholeMailbox: { type: 'boolean', summary: 'Allow a DELETE of all messages, without an ID or filter' },
  },
  examples: [
    { comment: 'Show your presence', command: 'ucctl api account/~/extension/~/presence' },
    {
      comment: 'List all extension numbers, from all pages',
      command: "ucctl api account/~/extension --paginate --jq '.[].extensionNumber'",
    },
    {
      comment: 'Change your do-not-disturb status; add -n to show the request without sending it',
      command: 'ucctl api PUT account/~/extension/~/presence -f dndStatus=TakeAllCalls',
    },
  ],
  mutates: 'by-request',
  defaultFormat: 'json',
  // The reply of the service, whose type depends on the request.
  output: record(anything),
  exitCodes: {
    8: 'the service rejected the changes of some resources',
    14: 'no reply, or a reply that does not prove the change: the request may have taken effect',
  },
  load: () => import('./api.ts').then((m) => m.callApi),
});
