export const privacy = `ucctl sends data only to the service and the places that you configure: no telemetry and no crash reports. Only
ucctl version --check asks another server: the npm registry, for the latest version. You configure these places with options and settings:

--store URL  the PostgreSQL store, for mailbox copies, sessions, events and the journal of sends
--sink STORE  the PostgreSQL store or NATS server for the events of ucctl webhook listen
--to URL  the NATS server of ucctl events consume, for events
--forward-to URL  addresses for events
--exec COMMAND  programs for events
--channel-url URL  the server of the hosted channel, for the requests that receive events
media-store  the S3 bucket for the attachments of mailbox copies
media-hosts  hosts of recordings and attachments, for the access token

If you load an OpenTelemetry SDK, ucctl also gives spans to this SDK.

ucctl stores data in four folders, which only you can read. ucctl help environment lists the variables that move them:

config   profiles, without secrets; with --store file, also the session as plain text
state    journals of runs and sent messages, received events
cache    names and numbers of queues, people and subscriptions, for completion
data     the local mailbox copies made by ucctl sync, with attachments

ucctl stores tokens and secrets in the keychain of the operating system. It never reads them from the command line, and masks them in its
output. Only --show-secrets shows secrets, in commands such as ucctl subscribe show. --debug=http and --trace-file mask secrets, phone numbers and message
texts.

$ ucctl logout

revokes and deletes the session and deletes the names stored for completion. ucctl sync erase --phone NUMBER permanently deletes the messages and calls
with a number from a local mailbox copy. ucctl completion values --clear deletes the names for completion. To delete everything else, delete the folders while
no ucctl is running.`;
