import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption } from '../../runtime/outgoing-options.ts';
import type { FaxSendOptions } from './send.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxSend = defineCommand<FaxSendOptions>({
  path: ['fax', 'send'],
  summary: 'Send documents as a fax',
  description:
    'Documents go out as they are: PDF, TIFF, text, office formats and pictures are rendered by the service. At most 50 MB and 200 pages. ' +
    'The service chooses the number that the fax comes from.',
  options: {
    to: {
      type: 'list',
      required: true,
      value: 'NUMBER',
      summary: 'Receivers, as people write them; repeatable',
    },
    files: {
      type: 'list',
      commas: false,
      positional: true,
      value: 'FILE...',
      summary: 'Documents, in their order',
    },
    resolution: {
      type: 'string',
      choices: ['High', 'Low'],
      value: 'HOW',
      summary: 'High (200 dpi) or Low (100 dpi)',
    },
    cover: { type: 'integer', value: 'N', min: 0, max: 13, summary: 'Cover page; 0 is none' },
    coverText: { type: 'string', value: 'TEXT', summary: 'Text of the cover page, at most 1024 characters' },
    at: {
      type: 'string',
      value: 'TIME',
      summary: 'Send it later: ISO 8601, in the zone of --tz, or 2h from now',
    },
    ...waitOptions,
    dedupeKey: dedupeKeyOption,
  },
  examples: [
    {
      comment: 'Two documents to one number',
      command: 'ucctl fax send --to +15551234567 offer.pdf terms.pdf',
    },
    {
      comment: 'At night, cheaply',
      command: 'ucctl fax send --to +15551234567 --at 2026-01-06T02:00:00Z offer.pdf --yes',
    },
  ],
  permissions: ['Faxes'],
  rateGroup: 'Heavy',
  mutates: true,
  output: record(messageRows),
  exitCodes: {
    8: 'with --wait: only some receivers got it',
    11: 'the dedupe key was used already',
    13: 'with --wait: not sent, or not in time',
    14: 'no answer came: the fax may have been sent',
  },
  load: () => import('./send.ts').then((m) => m.sendFax),
});
