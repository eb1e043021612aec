import { defineCommand } from '../../runtime/define.ts';
import type { ApiOptions } from './api.ts';

export const apiCommand = defineCommand<ApiOptions>({
  path: ['api'],
  summary: 'Send any request to the service',
  description:
    'Sends a request as the signed-in user and prints the JSON of the reply. PATH starts with / or is taken below /restapi/v1.0/; {accountId} and ' +
    '{extensionId} stand for ~, the signed-in account and extension. The method is GET, or POST when fields or --input are given; fields of a GET go into ' +
    'the query. As table, csv and tsv a page of a list shows its records. What sends, rings or faxes asks first, as its own command does.',
  options: {
    request: {
      type: 'list',
      positional: true,
      commas: false,
      value: '[METHOD] PATH',
      summary: 'Method, if it is not GET, and path',
    },
    method: {
      type: 'string',
      short: 'X',
      value: 'METHOD',
      choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      summary: 'The method, in place of the word before the path',
    },
    rawField: {
      type: 'list',
      short: 'f',
      commas: false,
      value: 'KEY=VALUE',
      summary:
        'Adds a text field; from[phoneNumber]=N and to[][phoneNumber]=N nest, KEY[] alone is an empty list',
    },
    field: {
      type: 'list',
      short: 'F',
      commas: false,
      value: 'KEY=VALUE',
      summary: 'As -f, with true, false, null and numbers as such, and @FILE read from a file',
    },
    header: { type: 'list', short: 'H', commas: false, value: 'NAME:VALUE', summary: 'Adds a header' },
    input: { type: 'string', value: 'FILE', summary: 'Sends a file as the body; - for standard input' },
    paginate: { type: 'boolean', summary: 'Reads all pages of a list into one array' },
    include: { type: 'boolean', short: 'i', summary: 'Prints the status and headers of the reply before it' },
    wholeMailbox: { type: 'boolean', summary: 'Allows a DELETE of a message store without id or filter' },
  },
  examples: [
    { comment: 'One call', command: 'ucctl api account/~/extension/~/presence' },
    {
      comment: 'All pages through jq',
      command: "ucctl api account/~/extension --paginate --jq '.[].extensionNumber'",
    },
    {
      comment: 'Changes something; -n would only show it',
      command: 'ucctl api PUT account/~/extension/~/presence -f dndStatus=TakeAllCalls',
    },
  ],
  mutates: 'by-request',
  defaultFormat: 'json',
  exitCodes: { 14: 'no answer came: it may have been done' },
  load: () => import('./api.ts').then((m) => m.callApi),
});
