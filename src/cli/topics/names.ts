/** The topics of `ucctl help TOPIC`, with their line in the root help. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': 'What each exit code means',
  environment: 'Environment variables',
  formatting: 'Output formats, fields, colours',
  bulk: 'Lists, plans, and runs that broke off',
  permissions: 'What an app and a user may do',
  'rate-limits': 'How many requests the service takes, and what happens then',
  sandbox: 'The service on this machine, to try and to test with',
  privacy: 'What is kept here, and what goes where',
};
