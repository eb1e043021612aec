/** `--show-secrets` of the commands that show subscriptions. */
export const showSecrets = {
  type: 'boolean',
  summary: 'Show subscription keys instead of masking them',
} as const;
