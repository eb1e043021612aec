// Prints the agents of every call queue. Set UCCTL_BASE_URL and UCCTL_TOKEN, and run:
// node node_modules/ucctl/examples/queue-agents.mjs
import { createClient, RateLimitError } from 'ucctl';

const { UCCTL_BASE_URL: baseUrl, UCCTL_TOKEN: token } = process.env;
if (!baseUrl || !token) throw new Error('set UCCTL_BASE_URL and UCCTL_TOKEN');

// The client waits for rate limits and retries reads automatically.
const client = createClient({ baseUrl, token, maxWaitMilliseconds: 60_000 });
try {
  for await (const queue of client.extensions.list({ type: ['Department'] })) {
    const agents = [];
    for await (const agent of client.departments.members(queue.id))
      agents.push(agent.extensionNumber ?? agent.id);
    process.stdout.write(`${queue.name ?? queue.id}: ${agents.join(', ')}\n`);
  }
} catch (error) {
  if (!(error instanceof RateLimitError)) throw error;
  process.stderr.write(`rate limit reached; try again in ${error.waitSeconds} s\n`);
  process.exitCode = 1;
} finally {
  await client.close();
}
