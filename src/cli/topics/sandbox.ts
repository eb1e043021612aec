export const sandbox = `ucctl sandbox is the whole service on this machine: an account with people, queues, numbers and messages, sign-in, rate
limits, events. Nothing leaves the machine, nobody is rung and nothing is charged.

$ ucctl sandbox start

runs until Ctrl-C. In another terminal, these lines take its address and its app into the shell and sign in; the password is the one that
sandbox start shows:

$ eval "$(ucctl sandbox env)"

$ ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME"

A script or a CI job has one for the time of a command, in folders that are removed with it. The address, the app, the user and the password
are in its environment, so that its first line signs in without a question:

$ ucctl sandbox exec -- sh -c 'ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" && ucctl queue list'

What happens by itself elsewhere is done by hand here. ucctl sandbox trigger lets a text, a call or a fax come in, ucctl sandbox clock stops
and moves the time, ucctl sandbox fault makes requests fail, ucctl sandbox phone lets a telephone answer or be busy. Some numbers always behave
in the same way; they are listed in docs/sandbox.md. The fixtures are small-office, call-center and enterprise.`;
