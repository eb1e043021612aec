export const bulk = `Some commands make many changes from a list: queue plan, queue apply, queue assign, presence set, sms send. A list is CSV
or a sheet of an .xlsx workbook (--sheet NAME), from -f FILE or from standard input with -f -. CSV may be separated by commas, semicolons or tabs, in UTF-8,
UTF-16 or Windows-1252. Columns are recognized by their headings, such as "Ext." or "Call Queue"; --map COL=FIELD maps others. A list has at most 100,000 rows.

If a row is invalid or a name is not found, the error gives its file, line and column, nothing is sent, and the exit code is 2. With --skip-invalid, such
rows are skipped and the others are used. Cells that a spreadsheet has changed, such as 1.16E+20 for an id, are invalid. Queues and people can be named by id,
extension number, e-mail or name; a row with an ambiguous name is invalid. The error shows 20 problems, and --errors FILE writes all of them.

$ ucctl queue assign -f agents.csv --dry-run

ucctl shows the plan and asks for confirmation; --yes confirms, and is required without a terminal. --dry-run stops before the first
request that makes a change; with --detailed-exitcode it exits with 10 if there are changes.

Every change is recorded in a journal before its request is sent. A run that was interrupted, by Ctrl-C, a full disk or a power cut, stays open until
it is resumed; --resume last resumes the newest open run of the command:

$ ucctl queue assign --resume last

A list for queues or presence can also be run again: only differences are sent, and a note names the open run. A list of texts is not sent
again while an open run of the profile contains one of its texts (same number, same text), even if the list was edited: the command sends
nothing and exits with 11. Resume that run, or abandon it and send the list from the start:

$ ucctl sms send --resume last
$ ucctl sms send --file list.csv --template "Hello {{name}}" --new-run

A finished run prevents nothing: running its command again sends its texts again, unless both runs have the same --dedupe-key.

--skip-invalid    skip invalid rows and names that are not found, and exit with 8
--errors FILE     file with all problems of the list: CSV, .xlsx, or NDJSON (.ndjson)
--results FILE    file with the result of each row (CSV or .xlsx), updated by --resume; used as a list again, it sends only the failed rows
--max-errors N    stop after more than N rows, or N%, have failed; --fail-fast stops at the first failure
--concurrency N   number of simultaneous requests, within the service's rate limits
--max-items N     maximum number of changes per request, where the service accepts several

The safety limits of queue commands (--max-removals, --allow-empty, --protect, and the setting protect of the profile) are saved in a plan
by queue plan --plan-out. When queue apply applies the plan, the stricter of the plan's limits and those of the command applies. For looser limits,
create the plan again.

Exit code 8 means that some rows failed or were skipped (--skip-invalid); a dry run also exits with 8 if rows of its list would be skipped, even with
--detailed-exitcode. ucctl history list shows the runs, and ucctl history undo reverts the changes of a run that have not been changed since.
A text that got no reply is reported as unknown and never sent again automatically; ucctl outcome resolve finds out whether it was sent.`;
