export const privacy = `ucctl sends data only to the service and the places that you configure: no telemetry and no crash reports. Only
ucctl version --check asks another server: the npm registry, for the latest version. You configure these places with options and settings:

--proxy URL  the HTTP proxy for requests to other machines; also HTTPS_PROXY and ALL_PROXY
--store URL  the PostgreSQL store, for mailbox copies, sessions, events and the journal of sends
--sink STORE  the PostgreSQL store or NATS server for the events of ucctl webhook listen
--to URL  the NATS server of ucctl events consume, for events
--forward-to URL  addresses for events
--exec COMMAND  programs for events
--tunnel-command COMMAND  the program that forwards events from a public address to ucctl webhook listen
--channel-url URL  the server of the hosted channel, for the requests that receive events
--uri ADDRESS  the server of a file for ucctl download
webhook trigger URL  a receiver for sample events; if UCCTL_VERIFICATION_TOKEN is set, also for this token
webhook check URL  a receiver for sample events, in the same way
webhook post -  the webhook address in standard input, for posts
doctor --public-url URL  the public address of this machine, for a handshake
media-store  the S3 bucket for the attachments of mailbox copies
AWS_ENDPOINT_URL  the server of this bucket; also AWS_ENDPOINT_URL_S3
media-hosts  hosts of recordings and attachments, for the access token

The replies of the service can contain addresses of other servers, for example of attachments. ucctl reads these addresses without the
access token, except those of media-hosts and, in dialect current, of the service's domain.

Other programs on this machine also receive data. ucctl mcp gives results to the agent program that starts it. With --metrics-port, ucctl gives metrics to each program
that connects. If you load an OpenTelemetry SDK, ucctl gives spans to this SDK. ucctl also starts these programs: the browser, a pager for
help, npm for ucctl version --check, and tools of the keychain and of systemd.

ucctl stores data in four folders, which only you can read. ucctl help environment lists the variables that move them:

config   profiles, without secrets; with --store file, also the session as plain text
state    journals of runs and sent messages, received events
cache    names and numbers of queues, people and subscriptions, for completion
data     the local mailbox copies made by ucctl sync, with attachments

ucctl stores tokens and secrets in the keychain of the operating system. It never reads them from the command line, and masks them in its
output. Only --show-secrets shows secrets, in commands such as ucctl subscribe show. --debug=http and --trace-file mask secrets, phone numbers and message
texts.

$ ucctl logout

revokes and deletes the session and deletes the names stored for completion. ucctl profile remove NAME also deletes the stored keys of
subscriptions and addresses of chat webhooks. ucctl sync erase --phone NUMBER permanently deletes the messages and calls
with a number from a local mailbox copy. ucctl completion values --clear deletes the names for completion. To delete everything else, delete the folders while
no ucctl is running.`;
