export const privacy = `ucctl sends data only to the service that you configure: no telemetry, no update check, no crash reports.

It stores data in four folders, which only you can read. ucctl help environment lists the variables that move them:

config   profiles, without secrets; with --store file also the session, as plain text
state    journals of bulk runs and of sent messages, received events
cache    names and numbers of queues, people and subscriptions, for completion
data     the local mailbox copies made by ucctl sync, with attachments

Tokens and secrets are stored in the keychain of the operating system. They are never read from the command line and never shown; --debug=http
and --trace-file mask them, as well as numbers and texts of messages.

$ ucctl logout

revokes the session and deletes it, together with the names stored for completion. ucctl sync erase --number NUMBER permanently deletes the messages
of a number from a local mailbox copy. ucctl completion values --clear deletes the names for completion. To delete everything else, delete the folders while
no ucctl is running.`;
