import { requestsPerMinute } from '../../contract/limits.ts';

const { Light, Medium, Heavy, Auth } = requestsPerMinute;

export const rateLimits = `The service counts requests by user and app, in groups. In a minute it usually takes:

Light    ${Light} requests: presence, messages, members of queues, subscriptions: to read them
Medium   ${Medium} requests: extensions; texts and pages; most changes
Heavy    ${Heavy} requests: call log and recordings, two-legged calls, faxes, members of many queues
Auth     ${Auth} requests: sign-in and renewal

Beyond that it answers 429 for a minute, and every further request makes the minute start again. ucctl reads what is left from each reply,
waits before the limit and not after it, and shares what it knows between all its processes of the same user. A terminal shows every wait, a log the long ones.

The help of each command names the heaviest group among its requests. ucctl waits at most two minutes for one request, or what --max-wait,
UCCTL_MAX_WAIT or the setting max-wait says; after that it ends with exit code 6 and says when to try again.

$ ucctl calllog list --since 7d --max-wait 10m

Requests that only read, or that say how a thing shall be, are sent again after a failure that passes, --retry N times. What would be done
twice, a text or a call, is not.`;
