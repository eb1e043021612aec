import { defineCommand } from '../../runtime/define.ts';
import type { WebhookPostOptions } from './post.ts';

export const webhookPost = defineCommand<WebhookPostOptions>({
  path: ['webhook', 'post'],
  summary: 'Tell a chat group something',
  description:
    'Sent once. With - the address is the first line of standard input: it is a credential and never an argument. Any flag of a card adds one.',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID|-',
      summary: 'Id of the chat webhook, or - for its address on standard input',
    },
    words: { type: 'string', positional: true, value: 'BODY', summary: 'The body, as --body' },
    title: { type: 'string', value: 'TEXT', summary: 'Title, may carry formatting marks' },
    body: {
      type: 'string',
      value: 'TEXT|-',
      summary: 'Body; - for standard input',
      conflicts: ['words'],
    },
    icon: { type: 'string', value: 'URL', summary: 'Icon of the poster' },
    file: { type: 'string', short: 'f', value: 'FILE', summary: 'A post or a card as JSON or YAML' },
    cardColor: { type: 'string', value: 'HEX', summary: 'Colour of the card, such as #2ea043' },
    pretext: { type: 'string', value: 'TEXT', summary: 'Text above the card' },
    authorName: { type: 'string', value: 'TEXT', summary: 'Author of the card' },
    authorLink: { type: 'string', value: 'URL', summary: 'Link of the author' },
    authorIcon: { type: 'string', value: 'URL', summary: 'Icon of the author' },
    cardTitle: { type: 'string', value: 'TEXT', summary: 'Title of the card' },
    titleLink: { type: 'string', value: 'URL', summary: 'Link of that title' },
    field: {
      type: 'list',
      commas: false,
      value: '[+]TITLE=VALUE',
      summary: 'A field of the card; with + a short one',
    },
    text: { type: 'string', value: 'TEXT', summary: 'Text of the card' },
    imageUrl: { type: 'string', value: 'URL', summary: 'Image of the card' },
    footer: { type: 'string', value: 'TEXT', summary: 'Footer of the card' },
    footerIcon: { type: 'string', value: 'URL', summary: 'Icon of the footer' },
    ts: { type: 'integer', min: 0, value: 'SECONDS', summary: 'Time of the card, in seconds since 1970' },
  },
  examples: [
    { comment: 'A line', command: "ucctl webhook post ID 'The night shift has begun'" },
    {
      comment: 'The result of a job as a card',
      command:
        'ucctl webhook post ID --card-color "#2ea043" --card-title Backup --field +Size=12GB --field +Took=4m',
    },
    { comment: 'What a program says', command: 'uptime | ucctl webhook post ID --body -' },
  ],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['webhook', 'status', 'post'],
  exitCodes: { 14: 'no answer came: it may have been posted' },
  load: () => import('./post.ts').then((m) => m.postToChat),
});
