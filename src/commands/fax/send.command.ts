import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, forceNumberOption, sendConflict } from '../../runtime/outgoing-options.ts';
import type { FaxSendOptions } from './send.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxSend = defineCommand<FaxSendOptions>({
  path: ['fax', 'send'],
  summary: 'Send documents as a fax',
  description:
    'The service renders the documents (PDF, TIFF, text, office formats and images, at most 50 MB and 200 pages) ' +
    'and chooses the sender number.',
  options: {
    to: {
      type: 'list',
      required: true,
      value: 'NUMBER',
      summary: 'Recipients, in any common notation',
    },
    files: {
      type: 'list',
      commas: false,
      positional: true,
      value: 'FILE...',
      summary: 'Documents to send, in page order',
    },
    resolution: {
      type: 'string',
      choices: ['High', 'Low'],
      value: 'LEVEL',
      summary: 'Image quality: High (200 dpi) or Low (100 dpi)',
    },
    cover: {
      type: 'integer',
      value: 'N',
      min: 0,
      max: 13,
      summary: 'Number of the cover page; 0 for none; by default, the service uses your fax settings',
    },
    coverText: { type: 'string', value: 'TEXT', summary: 'Cover page text, at most 1024 characters' },
    at: {
      type: 'string',
      value: 'TIME',
      summary: 'Time to send the fax: ISO 8601, in the zone of --tz, or a delay such as 2h',
    },
    ...waitOptions,
    forceNumber: forceNumberOption,
    dedupeKey: dedupeKeyOption,
  },
  examples: [
    {
      comment: 'Send two documents to one number',
      command: 'ucctl fax send --to +15551234567 offer.pdf terms.pdf',
    },
    {
      comment: 'Send a fax at 02:00 UTC',
      command: 'ucctl fax send --to +15551234567 --at 2026-01-06T02:00:00Z offer.pdf --yes',
    },
  ],
  permissions: ['Faxes'],
  rateGroup: 'Heavy',
  mutates: true,
  effect: 'sends',
  output: record(messageRows),
  exitCodes: {
    8: 'only some recipients received the fax',
    11: sendConflict,
    13: 'the fax failed, or the service did not send it in time (--wait)',
    14: 'no reply: the service may have sent the fax',
  },
  load: () => import('./send.ts').then((m) => m.sendFax),
});
