export const bulk = `Some commands make many changes from one list: queue plan, queue apply, queue assign, presence set, sms send. A list is CSV
or a sheet of an .xlsx workbook (--sheet NAME), from -f FILE or from standard input with -f -. The CSV separators are commas, semicolons or tabs; the encodings are UTF-8,
UTF-16 or Windows-1252. ucctl recognizes columns by their headings, such as "Ext." or "Call Queue"; --map COL=FIELD maps other headings. A list has at most 100,000 rows.

If a row is invalid or a name is not found, the command sends nothing and exits with 2, and the error gives the file, line and column. With --skip-invalid, ucctl
skips such rows and applies the others. Cells that a spreadsheet has changed, such as 1.16E+20 for an ID, are invalid. You can specify queues and people by ID,
extension number, e-mail or name; a row with an ambiguous name is invalid. The error shows 20 problems, and --errors FILE writes all problems.

$ ucctl queue assign -f agents.csv --dry-run

ucctl shows the plan and asks for confirmation; --yes confirms, and is required without a terminal. --dry-run stops before the first
request that makes a change; with --detailed-exitcode it exits with 10 if the plan has changes. On a terminal, a dry run that is longer than 40 lines
shows its requests without their contents, and a plan with more than 100 changes of members shows only their number for each queue. For everything,
use --dry-run -o json, or queue plan -o csv with a row for each member.

ucctl records every change in a journal before it sends the request. A run interrupted by Ctrl-C, a full disk or a power cut stays open until
you resume it; --resume last resumes the newest open run of the command:

$ ucctl queue assign --resume last

You can also apply a list for queues or presence again: ucctl sends only the differences, and a note names the open run. ucctl does not resend a list of texts
while an open run of the profile contains one of the texts (same number, same text), even in an edited list: the command sends
nothing and exits with 11. Resume the open run, or abandon it and send the whole list:

$ ucctl sms send --resume last

$ ucctl sms send --file list.csv --template "Hello {{name}}" --new-run

After a finished run, the same command sends the texts again, unless both runs have the same --dedupe-key. Only texts whose outcome is unknown still prevent
this, because they could reach people twice: look up the outcomes (ucctl outcome resolve --all), or use --new-run.

--skip-invalid    skip invalid rows and names that are not found, and exit with 8
--errors FILE     file with all problems of the list: CSV, .xlsx, or NDJSON (.ndjson)
--results FILE    file with the result of each row (CSV or .xlsx), updated by --resume; as the list of a new run, only its failed and skipped rows are sent
--max-errors N    stop after more than N rows, or N%, have failed; --fail-fast stops at the first failure
--concurrency N   number of simultaneous requests, within the service's rate limits
--max-items N     maximum number of changes per request, where the service accepts several

queue plan --plan-out saves the safety limits of queue commands (--max-removals, --allow-empty, --protect, and the protect setting of the profile) in
the plan. When queue apply applies the plan, the stricter of the plan's limits and the command's limits applies. For looser limits,
create the plan again.

Exit code 8 means that some rows failed or were skipped (--skip-invalid); a dry run also exits with 8 if rows of its list would be skipped, even with
--detailed-exitcode. ucctl history list shows the runs, and ucctl history undo reverts the changes of a run, except for values that were changed again later.
A text that got no reply is reported as unknown and never sent again automatically; ucctl outcome resolve finds out whether it was sent.`;
