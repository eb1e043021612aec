import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { WebhookPostOptions } from './post.ts';
import { postRows } from './post.rows.ts';

export const webhookPost = defineCommand<WebhookPostOptions>({
  path: ['webhook', 'post'],
  summary: 'Post a message or a card to a chat group',
  description:
    'ucctl sends the post once: if there is no reply, ucctl does not retry. The card flags together describe one card, which is shown below the message.',
  details:
    'If ID is -, ucctl reads the webhook address from the first line of standard input. The webhook address is a credential, so ucctl does not accept it as an argument.',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID|-',
      summary: 'Chat webhook ID, or - to read the webhook address from standard input',
    },
    words: {
      type: 'string',
      positional: true,
      value: 'BODY',
      summary: 'Text of the message; the same as --body',
    },
    title: {
      type: 'string',
      value: 'TEXT',
      summary: 'Heading above the message; can contain formatting marks',
    },
    body: {
      type: 'string',
      value: 'TEXT|-',
      summary: 'Text of the message; - for standard input',
      conflicts: ['words'],
    },
    icon: { type: 'string', value: 'URL', summary: 'Image shown next to the message' },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary: 'JSON or YAML file with a post or a card; - for standard input',
    },
    cardColor: { type: 'string', value: 'HEX', summary: 'Color of the card, such as #2ea043' },
    pretext: { type: 'string', value: 'TEXT', summary: 'Text above the card' },
    authorName: { type: 'string', value: 'TEXT', summary: 'Author shown on the card' },
    authorLink: { type: 'string', value: 'URL', summary: 'Link of the author name' },
    authorIcon: { type: 'string', advanced: true, value: 'URL', summary: 'Icon next to the author name' },
    cardTitle: { type: 'string', value: 'TEXT', summary: 'Title of the card' },
    titleLink: { type: 'string', value: 'URL', summary: 'Link of the card title' },
    field: {
      type: 'list',
      commas: false,
      value: '[+]TITLE=VALUE',
      summary: 'Name and value to show on the card; + makes the field short',
    },
    text: { type: 'string', value: 'TEXT', summary: 'Main text of the card' },
    imageUrl: { type: 'string', value: 'URL', summary: 'Image of the card' },
    footer: { type: 'string', value: 'TEXT', summary: 'Last line of the card' },
    footerIcon: { type: 'string', advanced: true, value: 'URL', summary: 'Icon next to the footer' },
    ts: {
      type: 'integer',
      advanced: true,
      min: 0,
      value: 'SECONDS',
      summary: 'Time shown on the card, in seconds since 1970',
    },
  },
  examples: [
    { comment: 'Post a message of one line', command: "ucctl webhook post ID 'The night shift has begun'" },
    {
      comment: 'Post the result of a job as a card',
      command:
        'ucctl webhook post ID --card-color "#2ea043" --card-title Backup --field +Size=12GB --field +Took=4m',
    },
    { comment: 'Post the output of a program', command: 'uptime | ucctl webhook post ID --body -' },
  ],
  rateGroup: 'Medium',
  mutates: true,
  output: record(postRows),
  exitCodes: { 14: 'no reply: the service may have posted the message' },
  load: () => import('./post.ts').then((m) => m.postToChat),
});
