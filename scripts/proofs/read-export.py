"""Reads an export with the readers of Python and prints how many messages it holds and a digest of what they say.

Usage: read-export.py FORMAT PATH. A message is its fields between 0x1f, ended by 0x1e; those of html are sorted, because they lie in threads.
"""

import csv
import email.utils
import hashlib
import html.parser
import json
import mailbox
import pathlib
import sqlite3
import sys

FIELDS = ["id", "type", "direction", "creationTime", "fromNumber", "conversationId", "text"]


def read_csv(path):
    csv.field_size_limit(1 << 24)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield [row[field] for field in FIELDS]


def read_ndjson(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            one = json.loads(line)
            number = one["from"]["phoneNumber"]
            yield [str(one["id"]), one["type"], one["direction"], one["creationTime"], number, str(one["conversationId"]), one["subject"]]


def read_mbox(path):
    for mail in mailbox.mbox(path, create=False):
        number = mail["Message-ID"].strip("<").split(".")[0]
        time = str(int(email.utils.parsedate_to_datetime(mail["Date"]).timestamp()))
        yield [number, time, mail.get_payload(decode=True).decode("utf-8")]


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.messages = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        if tag == "article":
            self.messages.append(["", ""])
        if tag == "time" and self.messages:
            self.messages[-1][0] = dict(attrs)["datetime"]
        self.inside = tag == "p" and bool(self.messages)

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.messages[-1][1] += data


def read_html(path):
    found = []
    for file in pathlib.Path(path, "threads").iterdir():
        page = Page()
        page.feed(file.read_bytes().decode("utf-8"))
        page.close()
        found += page.messages
    # By bytes, as whoever compares does it.
    return sorted(found, key=lambda one: "\x1f".join(one).encode("utf-8"))


def read_sqlite(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    columns = "id, type, direction, creation_time, from_number, conversation_id, text"
    return db.execute(f"SELECT {columns} FROM v_message ORDER BY creation_time")


READERS = {"csv": read_csv, "ndjson": read_ndjson, "mbox": read_mbox, "html": read_html, "sqlite": read_sqlite}

count = 0
digest = hashlib.sha256()
for message in READERS[sys.argv[1]](sys.argv[2]):
    count += 1
    digest.update(("\x1f".join(message) + "\x1e").encode("utf-8"))
print(json.dumps({"count": count, "digest": digest.hexdigest()}))
