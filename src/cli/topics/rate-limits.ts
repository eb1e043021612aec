import { requestsPerMinute } from '../../contract/limits.ts';

const { Light, Medium, Heavy, Auth } = requestsPerMinute;

export const rateLimits = `The service counts requests per user and app, in usage groups. The usual limits per minute are:

Light    ${Light} requests: reading presence, messages, queue members and subscriptions
Medium   ${Medium} requests: extensions, texts, pager messages and most changes
Heavy    ${Heavy} requests: call log, recordings, RingOut calls, faxes, members of many queues
Auth     ${Auth} requests: sign-in and token renewal

Above a limit, the service returns 429 for a minute, and every further request restarts that minute. ucctl reads the remaining budget from each reply
and waits before it reaches the limit. All ucctl processes of the same user share the budget. On a terminal, ucctl reports every wait; in a log, it reports only long waits.

The full help of a command (--help --all) shows the heaviest usage group of its requests. ucctl waits at most two minutes for one request. --max-wait,
UCCTL_MAX_WAIT or the max-wait setting changes this limit. If the wait would be longer, ucctl exits with 6 and reports when to retry.

$ ucctl calllog list --since 7d --max-wait 10m

After a temporary failure, ucctl retries requests that are safe to repeat, up to --retry N times. It does not retry requests that would send a text
or place a call twice.`;
