export const bulk = `Commands that change many things take a list: queue plan, queue apply, queue assign, presence set, sms send. A list is CSV,
with commas, semicolons or tabs, from -f FILE or from standard input with -f -. Headings are found by their names; --map COL=FIELD says what they do not.

A row that cannot be read is named by file, line and column, and nothing is sent. Cells that a spreadsheet has rewritten, such as 1.16E+20
for an id, are invalid. Queues and people may be named by id, extension number, e-mail or name; a name that fits two is ambiguous, and the row is invalid.

$ ucctl queue assign -f agents.csv --dry-run

First comes the plan, then a question; --yes answers it, and without a terminal it must be there. --dry-run ends before the first
request that changes something, --detailed-exitcode then says with 10 that there is something to change.

Every run is recorded in a journal before each request. A run that was interrupted, by Ctrl-C, a full disk or a power cut, stays open until
it is resumed; --resume last resumes the newest open run of the command:

$ ucctl queue assign --resume last

A list for queues or presence may also be run again: only what differs is sent, and a note names the open run. A list of texts is not sent
again while an open run of the profile has one of its texts (same number, same text), also when the list was edited: the command sends
nothing and ends with exit code 11. Resume that run, or abandon it and send the list from the start:

$ ucctl sms send --resume last
$ ucctl sms send --file list.csv --template "Hello {{name}}" --new-run

A finished run prevents nothing: running its command again sends its texts again, unless both have the same --dedupe-key.

--results FILE    the list with the result of each row, from the first row on; --resume updates it. Given as a list again, only what failed is sent
--max-errors N    stop when more than N rows, or N%, have failed; --fail-fast stops at the first
--concurrency N   requests at the same time, within the service's rate limits
--max-items N     changes in one request, where the service takes several

The safety limits of queue commands (--max-removals, --allow-empty, --protect, and the setting protect of the profile) are saved in a plan
by queue plan --plan-out. When queue apply applies it, the stricter of the plan's limits and those of the command holds; for looser limits
make the plan again.

Exit code 8 means that some rows failed; a dry run ends with 8, too, when rows of its list would be skipped, also under
--detailed-exitcode. ucctl history list shows the runs, and ucctl history undo undoes what a run changed as far as nothing was changed since.
A text that got no answer is reported as unknown and never sent again by itself; ucctl outcome resolve finds out whether it was sent.`;
