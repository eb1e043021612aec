/** Fields of a chat webhook in JSON. */
export const chatWebhookFields: readonly string[] = [
  'id',
  'creatorId',
  'groupIds',
  'creationTime',
  'lastModifiedTime',
  'uri',
  'status',
];

/** `--show-secrets` of the commands that show chat webhooks. */
export const showSecrets = {
  type: 'boolean',
  summary: 'Show addresses, which are credentials and masked otherwise',
} as const;
