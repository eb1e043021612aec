export const sandbox = `ucctl sandbox runs the whole service locally: an account with people, queues, numbers and messages, sign-in, rate
limits and events. Nothing leaves this machine, no phone rings and nothing costs money.

$ ucctl sandbox start

runs until Ctrl-C. In another terminal, load its address and app credentials into your shell, and sign in as the administrator with a signed
assertion (JWT):

$ eval "$(ucctl sandbox env)"

$ ucctl sandbox assertion 100 | ucctl login --flow jwt --assertion-stdin --store file

In a script or CI job, sandbox exec runs a sandbox for the duration of a command, in temporary folders. It sets the address and the app
credentials in the environment of the command, so that the command can sign in without a prompt:

$ ucctl sandbox exec -- sh -c 'ucctl sandbox assertion 100 | ucctl login --flow jwt --assertion-stdin && ucctl queue list'

You control what happens in a sandbox: ucctl sandbox trigger simulates an incoming text, call or fax, ucctl sandbox clock stops
and advances the clock, ucctl sandbox fault makes requests fail, and ucctl sandbox phone answers or rejects calls. Test numbers always behave
in the same way: calls to +12025550101 are busy, +12025550102 does not answer, and texts to +16505550190 fail. The fixtures are small-office, call-center and enterprise.`;
