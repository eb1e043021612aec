export const privacy = `ucctl sends nothing to anyone but the service that you name: no telemetry, no update check, no report of errors.

What it keeps is in four folders, which ucctl help environment names, readable by you alone:

config   profiles, without secrets; with --store file also the session, as plain text
state    what bulk runs did, what was sent once and its outcome, received events
cache    names and numbers of queues and people, and subscriptions, for completion
data     the copies of mailboxes that ucctl sync made, with attachments

Tokens and secrets are in the keychain of the operating system. They are never taken from the command line and never shown; --debug=http
and --trace-file mask them, and numbers and texts of messages too.

$ ucctl logout

revokes the session, and forgets it here and what completion knew. ucctl sync erase --number NUMBER removes a person's messages from a copy for
good. ucctl completion values --clear, and deleting the folders while nothing runs, remove the rest.`;
